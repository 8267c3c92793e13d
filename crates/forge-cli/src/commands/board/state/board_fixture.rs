//! A board for the tests of `update` and `view`. Its workflow has unusual names, because nothing may depend on them
//! (P-7).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_api::{
    Agent, NeedsPerson, Project, StateKind, StateTargets, StateView, Task, TaskPhase, WorkflowView,
};
use jiff::Timestamp;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::commands::board::board_config::BoardConfig;
use crate::commands::board::keys::KeyChord;
use crate::commands::board::state::board_state::{BoardState, ConnectionState};
use crate::commands::board::update::{BoardEffect, BoardEvent, LoadedBoard};

const PROJECT: Uuid = Uuid::from_u128(1);
const ADA: Uuid = Uuid::from_u128(2);
const NOW: &str = "2026-03-01T12:00:00Z";

/// State, kind, phase.
const STATES: [(&str, StateKind, TaskPhase); 8] = [
    ("alder", StateKind::Queue, TaskPhase::Backlog),
    ("birch", StateKind::Queue, TaskPhase::Ready),
    ("cedar", StateKind::Work, TaskPhase::Working),
    ("ebony", StateKind::Gate, TaskPhase::Review),
    ("elm", StateKind::Merge, TaskPhase::Review),
    ("fir", StateKind::Hold, TaskPhase::Review),
    ("hazel", StateKind::Terminal, TaskPhase::Done),
    ("ivy", StateKind::Terminal, TaskPhase::Done),
];

pub(crate) fn task_id(number: u64) -> Uuid {
    Uuid::from_u128(1000 + u128::from(number))
}

/// A task in a state of the fixture's workflow.
pub(crate) fn task(number: u64, status: &str, title: &str) -> Task {
    let phase = STATES.iter().find(|(name, ..)| *name == status).map(|(_, _, phase)| *phase);
    serde_json::from_value(json!({
        "id": task_id(number), "project_id": PROJECT, "repo_id": null, "number": number,
        "key": format!("T-{number}"), "kind": "task", "title": title, "description": "", "status": status,
        "phase": phase, "version": 1, "priority": 0, "labels": [], "review_config": {}, "merge_config": {},
        "roles": {}, "dependencies": [], "parent": null, "error_annotation": null, "review_passed_at": null,
        "archived_at": null, "metadata": {}, "workflow_hash": "h", "busy": null,
        "created_at": "2026-03-01T10:00:00Z", "updated_at": format!("2026-03-01T11:{:02}:00Z", 59 - number % 50),
    }))
    .expect("a task")
}

/// The same, changed.
pub(crate) fn task_with(mut task: Task, change: impl FnOnce(&mut Task)) -> Task {
    change(&mut task);
    task
}

pub(crate) fn needs(number: u64, message: &str) -> NeedsPerson {
    serde_json::from_value(json!({
        "task_id": task_id(number), "key": format!("T-{number}"), "title": "", "status": "", "project_id": PROJECT,
        "project_name": "", "project_slug": "", "reason": "decision", "message": message, "files": [],
        "since": "2026-03-01T09:00:00Z", "age_seconds": 10800, "next": [],
    }))
    .expect("an entry")
}

fn project() -> Project {
    serde_json::from_value(json!({
        "id": PROJECT, "name": "ledger-api", "slug": "ledger-api", "workspace_type": "git_worktree",
        "workflow": { "name": "trees", "hash": "h" }, "settings": {}, "paused_at": null, "version": 1,
        "created_at": NOW, "updated_at": NOW,
    }))
    .expect("a project")
}

fn agent() -> Agent {
    serde_json::from_value(json!({
        "id": ADA, "name": "ada", "executor": { "kind": "claude" }, "roles": [], "paused": false,
        "max_concurrent": 1, "ephemeral": false, "version": 1, "created_at": NOW,
    }))
    .expect("an agent")
}

/// The holder of a role, as a task has it.
pub(crate) fn held_by_ada() -> std::collections::BTreeMap<String, forge_api::RoleAssignee> {
    [("coder".to_owned(), forge_api::RoleAssignee::Agent(ADA))].into()
}

fn workflow() -> WorkflowView {
    let states = STATES.iter().map(|(name, kind, phase)| StateView {
        name: (*name).to_owned(),
        kind: *kind,
        phase: *phase,
        role: None,
        optional: false,
        claimable: false,
        targets: StateTargets::default(),
        max_attempts: None,
        auto_advance: false,
        outcome: match *name {
            "hazel" => Some(forge_api::OutcomeView::Success),
            "ivy" => Some(forge_api::OutcomeView::Cancelled),
            _ => None,
        },
        cleanup: None,
    });
    WorkflowView {
        name: "trees".to_owned(),
        hash: "h".to_owned(),
        initial: "alder".to_owned(),
        fault: "fir".to_owned(),
        cancel: "ivy".to_owned(),
        states: states.collect(),
    }
}

/// A loaded board.
pub(crate) fn loaded(tasks: Vec<Task>, needs: Vec<NeedsPerson>, agents: Vec<Agent>) -> BoardEvent {
    BoardEvent::BoardLoaded(Ok(Box::new(LoadedBoard {
        project: project(),
        workflow: workflow(),
        agents,
        me: None,
        tasks,
        truncated: Vec::new(),
        needs,
    })))
}

/// A connected board with these tasks on a terminal of this size.
pub(crate) fn board(size: (u16, u16), tasks: Vec<Task>, needs: Vec<NeedsPerson>) -> BoardState {
    let mut state = empty_board(size);
    state.update(loaded(tasks, needs, vec![agent()]));
    state
}

/// A connected board before anything is loaded.
pub(crate) fn empty_board(size: (u16, u16)) -> BoardState {
    let now: Timestamp = NOW.parse().expect("a time");
    let mut state = BoardState::new(project(), BoardConfig::default(), now);
    state.size = size;
    state.connection = ConnectionState::Live;
    state
}

/// The tasks of the pictures.
pub(crate) fn story() -> (Vec<Task>, Vec<NeedsPerson>) {
    let by_ada = |task: &mut Task| task.roles = held_by_ada();
    let running = |task: &mut Task| {
        by_ada(task);
        task.busy = Some(forge_api::ActivityView::Running);
    };
    let tasks = vec![
        task(1, "alder", "Archive statements that are older than ten years"),
        task_with(task(2, "birch", "Paginate GET /v1/invoices"), |task| task.priority = 5),
        task_with(task(3, "birch", "Drop the unused legacy_rates table"), |task| {
            task.dependencies = vec![task_id(5)];
        }),
        task_with(
            task(4, "birch", "日本語のタイトルも幅どおりに切る必要があります、はみ出しません"),
            |task| {
                task.labels = vec!["docs".to_owned(), "i18n".to_owned()];
            },
        ),
        task_with(task(5, "cedar", "Retry failed payouts with backoff"), running),
        task_with(task(6, "cedar", "Compare signatures in constant time"), running),
        task_with(task(7, "ebony", "Add rate limiting to the public API"), by_ada),
        task_with(task(8, "ebony", "Store refunds as integer cents"), |task| {
            by_ada(task);
            task.busy = Some(forge_api::ActivityView::Checking);
        }),
        task_with(task(9, "elm", "Round VAT per line, not per invoice"), |task| {
            by_ada(task);
            task.busy = Some(forge_api::ActivityView::Landing);
        }),
        task_with(task(10, "fir", "Stream CSV exports instead of buffering"), |task| {
            by_ada(task);
            let trouble =
                json!({ "type": "execution_failed", "message": "m", "details": null, "at": NOW });
            task.error_annotation = Some(serde_json::from_value(trouble).expect("an annotation"));
        }),
        task(11, "hazel", "Reject transfers to closed accounts"),
        task(12, "ivy", "Rewrite the parser"),
    ];
    let needs = vec![
        needs(7, "Its review passed; move it to elm to land it"),
        needs(10, "The agent failed: the test `export_large` ran out of memory"),
    ];
    (tasks, needs)
}

pub(crate) fn key(text: &str) -> KeyChord {
    text.parse().expect("a key")
}

/// Presses keys one after the other; returns the effects of the last.
pub(crate) fn press(state: &mut BoardState, keys: &[&str]) -> Vec<BoardEffect> {
    let mut effects = Vec::new();
    for text in keys {
        effects = state.update(BoardEvent::KeyPressed(key(text)));
    }
    effects
}

/// Types a text, one key after the other.
pub(crate) fn type_text(state: &mut BoardState, text: &str) {
    for letter in text.chars() {
        let code = crossterm::event::KeyCode::Char(letter);
        state
            .update(BoardEvent::KeyPressed(KeyChord::from(crossterm::event::KeyEvent::from(code))));
    }
}

/// An action as the server lists it.
pub(crate) fn action(name: &str, target: Option<&str>, parameters: Value) -> forge_api::ActionView {
    serde_json::from_value(json!({
        "name": name, "target": target, "label": format!("Label of {name}"), "method": "POST",
        "path": format!("/api/v1/{name}"), "parameters": parameters,
    }))
    .expect("an action")
}
