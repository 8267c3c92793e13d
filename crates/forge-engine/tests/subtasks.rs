//! Subtasks (T-17): which workspace each uses, in which order, and what happens to the rest when one fails.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, Subtask, TaskSnapshot, WorkspaceStatus};
use forge_domain::workflow::{RoleName, StateName};
use forge_domain::{Actor, Assignee, ProjectId, Refusal, SubtaskRequest, TaskCommand, TaskId};
use forge_engine::{EngineError, RemovalDecision, TaskSpec};
use forge_store::tables;
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Writes a line to the repository, and one to `$HOME` with its location.
const WORK: &str = "echo \"$FORGE_TASK_ID\" >> log.txt; \
                    echo \"$FORGE_TASK_ID $PWD $(git symbolic-ref --short HEAD)\" >> $HOME/places";

async fn world(database: &TestDatabase) -> EngineFixture {
    EngineFixture::with(FaultSweep::counting(), Some(database.url().clone())).await
}

fn turn(parent: TaskId, title: &str, order: Option<i64>) -> TaskSpec {
    let subtask = SubtaskRequest::OrderedTurn { order };
    TaskSpec { parent: Some(parent), subtask, ..EngineFixture::task_request(title) }
}

/// An ordered turn with its own agent.
async fn turn_by(
    world: &EngineFixture,
    parent: TaskId,
    title: &str,
    agent: &str,
    script: &str,
) -> TaskSpec {
    let id = world.agent(agent, script).await.unwrap();
    let roles = BTreeMap::from([(RoleName::new("coder"), Assignee::Agent { id })]);
    TaskSpec { roles, ..turn(parent, title, None) }
}

async fn refused(world: &EngineFixture, task: TaskId, command: TaskCommand) -> Refusal {
    match world.engine().commands().handle(EngineFixture::acting_user(), task, command).await {
        Err(EngineError::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

async fn not_made(world: &EngineFixture, project: ProjectId, asked: TaskSpec) -> Refusal {
    match world.engine().commands().create_task(EngineFixture::acting_user(), project, asked).await
    {
        Err(EngineError::Refused(refusal)) => refusal,
        other => panic!("not refused: {other:?}"),
    }
}

async fn claim_of(world: &EngineFixture, agent: &str) -> TaskCommand {
    let id = world.agent(agent, WORK).await.unwrap();
    TaskCommand::Claim { claimer: Assignee::Agent { id } }
}

fn to(state: &str, task: &TaskSnapshot) -> TaskCommand {
    TaskCommand::Move { to: StateName::new(state), version: Some(task.version), reason: None }
}

fn states(tasks: &[TaskSnapshot]) -> Vec<(&str, &str)> {
    tasks.iter().map(|task| (task.title.as_str(), task.state.as_str())).collect()
}

async fn parts(world: &EngineFixture, parent: TaskId) -> Vec<TaskSnapshot> {
    let parent = world.load_task(parent).await;
    world.engine().records().load_subtasks(&parent).await.unwrap()
}

forge_testkit::both_databases! {
    /// W-2, seed 000 "which worktree a task uses": ordered-turn subtasks use the parent's.
    async fn w_2_t_17_turns_are_taken_in_order_in_the_parents_workspace(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let second = world.task(project, turn(parent, "Second", Some(20))).await.unwrap();
        let first = world.task(project, turn(parent, "First", Some(10))).await.unwrap();
        let third = world.task(project, turn(parent, "Third", None)).await.unwrap();
        let agent = world.agent("coder", WORK).await.unwrap();
        world.claim(parent, agent).await.unwrap();
        world.settle().await.unwrap();

        let now = world.load_task(parent).await;
        assert_eq!(now.state.as_str(), "review", "{now:#?}");
        assert!(now.review_passed_at.is_some(), "it went to its gate when the last was over");
        let place = now.workspace.clone().unwrap();
        let wanted: Vec<_> = [parent, first, second, third]
            .iter()
            .map(|task| format!("{task} {} {}", place.path, place.branch))
            .collect();
        assert_eq!(world.lines("places"), wanted, "one after the other, all in one place");
        let commits = world.repository.subjects(&place.branch).await;
        assert_eq!(commits, ["Third", "Second", "First", "Work", "first"], "each one commit");
        let parts = parts(&world, parent).await;
        assert_eq!(states(&parts), [("First", "done"), ("Second", "done"), ("Third", "done")]);
        for part in &parts {
            assert!(part.workspace.is_none(), "no workspace of its own");
            assert_eq!(part.turn().unwrap().has_changes(), Some(true));
        }
        assert_eq!(parts[2].turn().unwrap().order, 21, "left out, it comes last");
        let traces = world.end_state(project).await;
        assert_eq!((traces.workspaces.len(), traces.open_steps), (1, 0));
        assert!(traces.tasks.values().all(|task| task.replays));
        let landed = world.land_task(parent).await;
        assert_eq!(landed.state.as_str(), "done");
        assert_eq!(world.repository.subjects("main").await, ["Work (T-1)", "first"]);
    }

    /// Seed 000: "the execution is rejected with PARENT_WORKSPACE_REQUIRED".
    async fn t_17_a_turn_needs_its_parents_coder_and_workspace(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let first = world.task(project, turn(parent, "First", None)).await.unwrap();
        let claim = claim_of(&world, "coder").await;
        let no_coder = refused(&world, first, claim.clone()).await;
        assert!(matches!(no_coder, Refusal::ParentWorkspaceRequired { .. }), "{no_coder}");
        let id = world.agent("coder", WORK).await.unwrap();
        world.reassign(parent, id, forge_domain::ResetScope::Nothing).await;
        let no_place = refused(&world, first, claim.clone()).await;
        assert!(matches!(no_place, Refusal::ParentWorkspaceRequired { .. }), "{no_place}");
        // A user claims the parent, and an agent takes the turn.
        world.claim_by_hand(parent).await;
        world.settle().await.unwrap();
        let Actor::User { id } = EngineFixture::acting_user() else { panic!("a person") };
        let by_hand = TaskCommand::Claim { claimer: Assignee::User { id } };
        let own = refused(&world, first, by_hand).await;
        assert!(matches!(own, Refusal::InvalidField { field: "agent_id", .. }), "{own}");
        let second = world.task(project, turn(parent, "Second", None)).await.unwrap();
        let early = refused(&world, second, claim.clone()).await;
        assert!(matches!(&early, Refusal::TurnsOpen { open, .. } if open == &["T-2"]), "{early}");
        world.engine().commands().handle(EngineFixture::acting_user(), first, claim).await.unwrap();
        world.settle().await.unwrap();
        assert_eq!(world.load_task(first).await.state.as_str(), "done");
        let next = world.load_task(second).await;
        assert_eq!(next.state.as_str(), "todo", "a person carries the parent: {:?}", next.annotation);
        let trouble = world.load_task(parent).await.annotation.unwrap();
        assert_eq!(trouble.kind, AnnotationType::TurnStopped);
        assert!(trouble.message.contains("taken by an agent"), "{}", trouble.message);
    }

    async fn t_17_the_gate_waits_while_turns_are_open(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        world.claim_by_hand(parent).await;
        world.settle().await.unwrap();
        let first = world.task(project, turn(parent, "First", None)).await.unwrap();
        let now = world.load_task(parent).await;
        let shut = refused(&world, parent, to("review", &now)).await;
        assert!(matches!(&shut, Refusal::TurnsOpen { open, .. } if open == &["T-2"]), "{shut}");
        assert_eq!(world.load_task(parent).await, now, "nothing changed");
        world.engine().commands().handle(EngineFixture::acting_user(), first, TaskCommand::Cancel { reason: None }).await.unwrap();
        world.settle().await.unwrap();
        let passed = world.move_to(parent, "review").await;
        assert!(passed.review_passed_at.is_some());
        let late = not_made(&world, project, turn(parent, "Late", None)).await;
        assert!(matches!(late, Refusal::InvalidField { field: "parent", .. }), "{late}");
    }

    async fn t_17_a_failed_turn_stops_the_rest_until_it_is_restarted(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let script = "echo half >> half.txt; [ -e $HOME/mended ] || exit 3";
        let first = turn_by(&world, parent, "First", "broken", script).await;
        let first = world.task(project, first).await.unwrap();
        let second = world.task(project, turn(parent, "Second", None)).await.unwrap();
        world.claim(parent, world.agent("coder", WORK).await.unwrap()).await.unwrap();
        world.settle().await.unwrap();
        let stopped = world.load_task(parent).await;
        assert_eq!(stopped.state.as_str(), "in_progress");
        assert!(stopped.in_turns && !stopped.is_executing());
        let trouble = stopped.annotation.unwrap();
        assert_eq!(trouble.kind, AnnotationType::TurnStopped);
        assert!(trouble.message.contains("T-2") && trouble.message.contains("code 3"));
        assert_eq!(world.load_task(second).await.state.as_str(), "todo");

        std::fs::write(world.home().join("mended"), "").unwrap();
        let execution = world.load_task(first).await.last_run.unwrap().execution;
        world.engine().commands().handle(EngineFixture::acting_user(), first, TaskCommand::Restart { execution }).await.unwrap();
        world.settle().await.unwrap();
        let now = world.load_task(parent).await;
        assert_eq!((now.state.as_str(), now.annotation), ("review", None));
        let branch = now.workspace.unwrap().branch;
        let commits = world.repository.subjects(&branch).await;
        assert_eq!(commits, ["Second", "First", "Work", "first"], "one commit for both tries");
    }

    async fn t_17_a_cancelled_turn_is_passed_over(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let first = turn_by(&world, parent, "First", "broken", "exit 3").await;
        let first = world.task(project, first).await.unwrap();
        world.task(project, turn(parent, "Second", None)).await.unwrap();
        world.claim(parent, world.agent("coder", WORK).await.unwrap()).await.unwrap();
        world.settle().await.unwrap();
        world.engine().commands().handle(EngineFixture::acting_user(), first, TaskCommand::Cancel { reason: None }).await.unwrap();
        world.settle().await.unwrap();
        assert_eq!(states(&parts(&world, parent).await), [("First", "cancelled"), ("Second", "done")]);
        let now = world.load_task(parent).await;
        assert_eq!((now.state.as_str(), now.annotation), ("review", None));
    }

    async fn t_17_one_turn_is_one_commit_or_a_record_that_nothing_changed(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let script = "git config user.name a; git config user.email a@b.c
            for n in 1 2; do echo $n > own-$n.txt; git add .; git commit -qm \"own $n\"; done
            git rev-parse HEAD > $HOME/own; echo left > left.txt";
        let busy = turn_by(&world, parent, "Busy", "busy", script).await;
        let busy = world.task(project, busy).await.unwrap();
        let idle = turn_by(&world, parent, "Idle", "idle", "true").await;
        let idle = world.task(project, idle).await.unwrap();
        let undo = "git config user.name a; git config user.email a@b.c
            echo x > x.txt; git add .; git commit -qm on; git rm -q x.txt; git commit -qm off";
        let undone = turn_by(&world, parent, "Undone", "undo", undo).await;
        let undone = world.task(project, undone).await.unwrap();
        world.claim(parent, world.agent("coder", WORK).await.unwrap()).await.unwrap();
        world.settle().await.unwrap();
        let branch = world.load_task(parent).await.workspace.unwrap().branch;
        let commits = world.repository.subjects(&branch).await;
        assert_eq!(commits, ["Busy", "Work", "first"]);
        let files = world.repository.git(&["show", "--name-only", "--format=", &branch]).await;
        assert_eq!(files.split_whitespace().collect::<Vec<_>>(), ["left.txt", "own-1.txt", "own-2.txt"]);
        let own = world.lines("own").remove(0);
        let kept = world.repository.git(&["for-each-ref", "--contains", &own, "refs/forge/archive"]).await;
        assert!(kept.contains(&busy.to_string()), "P-1: what it committed itself is kept");
        for task in [idle, undone] {
            assert_eq!(world.load_task(task).await.turn().unwrap().has_changes(), Some(false));
            let page = tables::PageRequest::first(100);
            let moves = tables::transitions::list_of_task(world.engine().db(), task, &page);
            let moves = moves.await.unwrap().0;
            let last = moves.iter().find(|moved| moved.to_state.as_str() == "done").unwrap();
            assert_eq!(last.reason.as_deref(), Some("no_changes"), "an explicit record");
        }
        assert_eq!(world.load_task(parent).await.state.as_str(), "review");
        assert!(world.end_state(project).await.sound);
    }

    async fn t_12_t_17_w_7_cancelling_the_parent_ends_its_turns_first(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let script = "echo half > half.txt; echo up > $HOME/up; sleep 1000";
        let slow = turn_by(&world, parent, "Slow", "slow", script).await;
        world.task(project, slow).await.unwrap();
        world.task(project, turn(parent, "Never", None)).await.unwrap();
        world.claim(parent, world.agent("coder", WORK).await.unwrap()).await.unwrap();
        let cancelled = world.cancel_once_running(parent).await;
        assert_eq!(cancelled.state.as_str(), "cancelled");
        assert!(cancelled.activity.is_none(), "{cancelled:#?}");
        assert_eq!(
            states(&parts(&world, parent).await),
            [("Slow", "cancelled"), ("Never", "cancelled")]
        );
        let traces = world.end_state(project).await;
        assert!(traces.processes.is_empty() && traces.tasks.values().all(|task| task.replays));
        let place = cancelled.workspace.unwrap();
        assert_eq!(place.status, WorkspaceStatus::Ready, "kept for a day");
        assert!(std::path::Path::new(&place.path).join("half.txt").exists());
    }

    async fn t_17_a_parent_that_moves_on_returns_its_turn_to_the_queue(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let script = "[ -e $HOME/again ] || { touch $HOME/again; echo up > $HOME/up; sleep 1000; }; echo x > x.txt";
        let slow = turn_by(&world, parent, "Slow", "slow", script).await;
        let slow = world.task(project, slow).await.unwrap();
        world.claim(parent, world.agent("coder", WORK).await.unwrap()).await.unwrap();
        world.run_once_running(|| world.request_move(parent, "todo")).await;
        let back = world.load_task(slow).await;
        assert_eq!((back.state.as_str(), back.is_executing()), ("todo", false));
        assert!(world.load_task(parent).await.activity.is_none());
        assert!(world.end_state(project).await.processes.is_empty());
        world.claim_again(parent, "coder").await;
        world.settle().await.unwrap();
        assert_eq!(world.load_task(slow).await.state.as_str(), "done");
        assert_eq!(world.load_task(parent).await.state.as_str(), "review");
    }

    async fn t_17_w_7_a_workspace_is_not_cleaned_while_a_turn_is_open(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let script = "echo up > $HOME/up; sleep 1000";
        let slow = turn_by(&world, parent, "Slow", "slow", script).await;
        let slow = world.task(project, slow).await.unwrap();
        world.claim(parent, world.agent("coder", WORK).await.unwrap()).await.unwrap();
        let hands_off = || async {
            for command in [TaskCommand::CleanWorkspace, TaskCommand::ResetWorkspace] {
                let no = refused(&world, parent, command).await;
                assert!(matches!(no, Refusal::WorkspaceLocked { .. }), "{no}");
            }
            let execution = world.load_task(parent).await.last_run.unwrap().execution;
            let no = refused(&world, parent, TaskCommand::Restart { execution }).await;
            assert!(matches!(no, Refusal::WorkspaceLocked { .. }), "{no}");
            let execution = world.load_task(slow).await.run.unwrap().execution;
            let stop = TaskCommand::StopRun { execution, reason: None };
            world.engine().commands().handle(EngineFixture::acting_user(), slow, stop).await.unwrap();
        };
        world.run_once_running(hands_off).await;
        let no = refused(&world, parent, TaskCommand::CleanWorkspace).await;
        assert!(matches!(no, Refusal::WorkspaceLocked { .. }), "stopped, but open: {no}");
        let look = world.engine().workspace_cleanup().preview_removal(EngineFixture::acting_user(), world.load_task(parent).await).await;
        let RemovalDecision::Blocked { by } = look.unwrap().verdict else { panic!("it would go") };
        assert!(by.contains("T-2"), "T-22: a dry run names what is in the way: {by}");
        assert_eq!(world.load_task(parent).await.annotation.unwrap().kind, AnnotationType::TurnStopped);
    }

    /// T-16, and the allowed depth.
    async fn t_16_t_17_invalid_parents_are_refused(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.board_project().await;
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let first = world.task(project, turn(parent, "First", None)).await.unwrap();
        let part = |parent, title: &str| TaskSpec { parent: Some(parent), ..EngineFixture::task_request(title) };
        let below = not_made(&world, project, part(first, "Below")).await;
        assert!(matches!(below, Refusal::InvalidField { field: "parent", .. }), "{below}");
        let below = not_made(&world, project, turn(first, "Below", None)).await;
        assert!(matches!(below, Refusal::InvalidField { field: "parent", .. }), "{below}");
        let mut above = parent;
        for depth in 1..=4 {
            above = world.task(project, part(above, &format!("Depth {depth}"))).await.unwrap();
            assert_eq!(world.load_task(above).await.subtask, Some(Subtask::Independent { depth }));
        }
        let deep = not_made(&world, project, part(above, "Too deep")).await;
        assert!(matches!(deep, Refusal::InvalidField { field: "parent", .. }), "{deep}");
        world.task(project, turn(above, "A turn of the deepest", None)).await.unwrap();
        let other = world.task(project, EngineFixture::task_request("Other")).await.unwrap();
        for (task, on) in [(first, parent), (parent, first), (first, other), (other, first)] {
            let no = refused(&world, task, TaskCommand::AddDependency { on }).await;
            assert!(matches!(no, Refusal::DependencyScope(_)), "{no}");
        }
        let waits = TaskSpec { dependencies: [other].into(), ..turn(parent, "Waits", None) };
        assert!(matches!(not_made(&world, project, waits).await, Refusal::DependencyScope(_)));
        let waits = TaskSpec { dependencies: [first].into(), ..EngineFixture::task_request("Waits") };
        assert!(matches!(not_made(&world, project, waits).await, Refusal::DependencyScope(_)));
        let elsewhere = world.project("Elsewhere", EngineFixture::workflow("default")).await.unwrap();
        let foreign = not_made(&world, elsewhere, turn(parent, "Foreign", None)).await;
        assert!(matches!(foreign, Refusal::DependencyScope(_)), "{foreign}");
        let alone = TaskSpec { parent: None, ..turn(parent, "Alone", None) };
        let alone = not_made(&world, project, alone).await;
        assert!(matches!(alone, Refusal::InvalidField { field: "parent", .. }), "{alone}");
    }

    /// Seed 000 "which worktree a task uses": an independent subtask has its own; the parent's is not required.
    async fn w_2_t_17_an_independent_subtask_has_its_own_workspace(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.project("Board", EngineFixture::workflow("autopilot")).await.unwrap();
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let onto = TaskSpec {
            parent: Some(parent),
            subtask: SubtaskRequest::Independent { onto_parent: true },
            ..EngineFixture::task_request("Onto")
        };
        let early = not_made(&world, project, onto.clone()).await;
        assert!(matches!(early, Refusal::ParentWorkspaceRequired { .. }), "{early}");
        let own = TaskSpec { parent: Some(parent), ..EngineFixture::task_request("Own") };
        let own = world.task(project, own).await.unwrap();
        let agent = world.agent("coder", "echo x > $FORGE_TASK_ID.txt").await.unwrap();
        world.claim(own, agent).await.unwrap();
        world.settle().await.unwrap();
        assert_eq!(world.load_task(own).await.state.as_str(), "done");
        assert_eq!(world.repository.subjects("main").await, ["Own (T-2)", "first"]);

        world.claim_by_hand(parent).await;
        world.settle().await.unwrap();
        let place = world.load_task(parent).await.workspace.unwrap();
        let onto = world.task(project, onto).await.unwrap();
        world.claim(onto, agent).await.unwrap();
        world.settle().await.unwrap();
        let landed = world.load_task(onto).await;
        assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
        assert_ne!(landed.workspace.unwrap().path, place.path);
        let subjects = world.repository.subjects(&place.branch).await;
        assert_eq!(subjects, ["Onto (T-3)", "Own (T-2)", "first"], "on its parent's branch");
        assert_eq!(world.repository.subjects("main").await, ["Own (T-2)", "first"]);
        let file = std::path::Path::new(&place.path).join(format!("{onto}.txt"));
        assert!(file.exists(), "the parent's workspace follows");
    }

    /// The scheduler does not dispatch an ordered turn; its parent starts it.
    async fn e_10_t_17_ordered_turns_are_not_dispatched(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let settings = serde_json::json!({ "dispatch": { "enabled": true } });
        let workflow = EngineFixture::workflow("no-review");
        let project = world.project_with("Board", workflow, settings).await.unwrap();
        world.agent("coder", WORK).await.unwrap();
        let parent = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
        let first = world.task(project, turn(parent, "First", None)).await.unwrap();
        let waiting = tables::waiting_tasks::position(world.engine().db(), first).await.unwrap();
        assert_eq!(waiting, None, "it stands in no line");
    }
}
