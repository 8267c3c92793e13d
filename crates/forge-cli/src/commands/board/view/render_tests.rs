//! The screen, cell by cell.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_api::Task;
use insta::assert_snapshot;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;
use serde_json::json;

use crate::commands::board::state::board_fixture::{
    action, board, empty_board, loaded, press, story, task, task_id, task_with, type_text,
};
use crate::commands::board::state::{BoardState, TaskDetail};
use crate::commands::board::update::{ActionWish, BoardEvent, LoadedLog};
use crate::commands::board::view::render_board;

fn draw(state: &BoardState) -> TestBackend {
    let (width, height) = state.size;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|frame| render_board(state, frame)).expect("drawn");
    terminal.backend().clone()
}

fn story_board(width: u16, height: u16) -> BoardState {
    let (tasks, needs) = story();
    board((width, height), tasks, needs)
}

#[test]
fn s_4_a_wide_board() {
    assert_snapshot!(draw(&story_board(160, 45)));
}

#[test]
fn s_4_a_usual_terminal_shows_one_column() {
    assert_snapshot!(draw(&story_board(80, 24)));
}

#[test]
fn s_4_a_very_narrow_terminal() {
    assert_snapshot!(draw(&story_board(40, 16)));
}

#[test]
fn s_4_without_colours_shapes_and_emphasis_remain() {
    let mut state = story_board(120, 30);
    state.has_colors = false;
    let screen = draw(&state);
    let colored = screen.buffer().content().iter().filter(|cell| cell.fg != Color::Reset);
    assert_eq!(colored.count(), 0);
    state.has_colors = true;
    let colored = draw(&state);
    assert_eq!(screen.to_string(), colored.to_string(), "the text is the same");
    let known = |color| !matches!(color, Color::Rgb(..) | Color::Indexed(_));
    assert!(colored.buffer().content().iter().all(|cell| known(cell.fg) && known(cell.bg)));
}

#[test]
fn s_4_an_empty_board_says_what_is_next() {
    let mut state = empty_board((80, 16));
    state.update(loaded(Vec::new(), Vec::new(), Vec::new()));
    assert_snapshot!(draw(&state));
}

#[test]
fn s_4_before_the_tasks_have_arrived() {
    assert_snapshot!(draw(&empty_board((80, 8))));
}

#[test]
fn s_4_five_hundred_tasks_are_paged() {
    let many = |number: u64| {
        let title = format!("Task with the number {number}");
        task_with(task(number, "birch", &title), |task: &mut Task| task.priority = 0)
    };
    let mut state = board((120, 20), (1..=500).map(many).collect(), Vec::new());
    press(&mut state, &["end", "up"]);
    assert_snapshot!(draw(&state));
}

#[test]
fn s_4_a_menu_names_moves_by_what_they_do() {
    let mut state = story_board(80, 24);
    let moves = ["elm", "cedar", "birch"].map(|name| action("transition", Some(name), json!([])));
    state.update(BoardEvent::ActionsLoaded {
        task: task_id(7),
        wish: ActionWish::Move,
        actions: Ok(moves.to_vec()),
        agents: Vec::new(),
    });
    assert_snapshot!(draw(&state));
}

#[test]
fn s_4_the_keys_are_listed_with_a_filter() {
    let mut state = story_board(80, 24);
    press(&mut state, &["?"]);
    type_text(&mut state, "task");
    assert_snapshot!(draw(&state));
}

#[test]
fn s_4_a_text_field() {
    let mut state = story_board(60, 12);
    press(&mut state, &["c"]);
    type_text(&mut state, "Add a health endpoint");
    assert_snapshot!(draw(&state));
}

#[test]
fn s_4_finding_shows_what_is_left() {
    let mut state = story_board(100, 14);
    press(&mut state, &["/"]);
    type_text(&mut state, "csv");
    assert_snapshot!(draw(&state));
}

#[test]
fn s_4_a_lost_connection_and_a_refusal() {
    let mut state = story_board(80, 14);
    state.update(BoardEvent::ConnectionLost);
    state.now = "2026-03-01T12:04:00Z".parse().expect("a time");
    let refused = "the target checkout has changes that would be overwritten; commit or move: src/lib.rs, src/main.rs";
    state.update(BoardEvent::Performed {
        task: task_id(7),
        words: String::new(),
        answer: Err(refused.to_owned()),
    });
    assert_snapshot!(draw(&state));
}

#[test]
fn s_4_one_task() {
    let mut state = story_board(80, 30);
    press(&mut state, &["n", "enter"]);
    let description = "Exports above 50 MB end the server.\n\n- stream rows\n- keep the header";
    state.tasks.get_mut(&task_id(10)).expect("a task").description = description.to_owned();
    let detail = TaskDetail {
        waiting: Some(serde_json::from_value(json!({
            "task_id": task_id(10), "key": "T-10", "status": "fir", "waits_for": "person",
            "message": "The agent failed: the test `export_large` ran out of memory.", "person_reason": "execution_failed",
            "since": null, "files": ["src/export.rs"], "next": [{ "label": "Restart it", "command": "forge task restart T-10" }],
            "claimable": false, "reasons": [], "place": null,
        })).expect("a reason")),
        workspace: Some(serde_json::from_value(json!({
            "task_id": task_id(10), "key": "T-10", "title": "t", "project_id": task_id(0), "path": "/data/workspaces/ledger-10",
            "branch": "forge/10-stream-csv", "base": null, "head": null, "ahead": 2, "behind": 1,
            "dirty": { "staged": 0, "modified": 3, "untracked": 1 }, "status": "ready", "last_error": null, "lock": null,
        })).expect("a workspace")),
        executions: Vec::new(),
    };
    state.update(BoardEvent::DetailLoaded { task: task_id(10), detail: Box::new(detail) });
    assert_snapshot!(draw(&state));
}

#[test]
fn s_4_a_diff_and_its_matches() {
    let mut state = story_board(60, 12);
    press(&mut state, &["d"]);
    let patch = "diff --git a/a.rs b/a.rs\nindex 1..2 100644\n--- a/a.rs\n+++ b/a.rs\n@@ -1,2 +1,2 @@\n-old\tline\n+new \u{1b}[31mline that is long enough to be wrapped at the end of the screen\n same\n";
    state.update(BoardEvent::DiffLoaded { task: task_id(7), patch: Ok(patch.to_owned()) });
    press(&mut state, &["/"]);
    type_text(&mut state, "WRAPPED");
    press(&mut state, &["enter"]);
    assert_snapshot!(draw(&state));
}

#[test]
fn s_4_a_log_follows_its_end() {
    let mut state = story_board(60, 10);
    press(&mut state, &["l"]);
    let mut events = vec![
        json!({ "seq": 1, "kind": "tool_call", "name": "Bash", "input": { "command": "cargo test" } }),
        json!({ "seq": 2, "kind": "tool_result", "output": "1 failed", "failed": true }),
    ];
    events.extend(
        (3..30)
            .map(|seq| json!({ "seq": seq, "kind": "assistant", "text": format!("line {seq}") })),
    );
    let events = events.into_iter().map(|event| serde_json::from_value(event).expect("an event"));
    let log = LoadedLog {
        execution: Some(task_id(90)),
        events: events.collect(),
        next: 30,
        has_ended: false,
    };
    state.update(BoardEvent::LogLoaded { visit: 1, log: Ok(log) });
    assert_snapshot!("a_log_at_its_end", draw(&state));
    press(&mut state, &["g"]);
    assert_snapshot!("a_log_at_its_start", draw(&state));
}

#[test]
fn s_4_no_size_is_too_small() {
    for size in [(1, 1), (10, 4), (12, 5), (20, 6), (99, 7), (100, 6), (300, 100)] {
        let mut state = story_board(size.0, size.1);
        for keys in [&["?"][..], &["esc", "c"], &["esc", "enter"], &["l"], &["esc", "esc"]] {
            press(&mut state, keys);
            draw(&state);
        }
    }
}
