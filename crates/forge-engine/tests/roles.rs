//! Reassigning the claim role of a task (T-14), and its effect on the workspace.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::workflow::RoleName;
use forge_domain::{Assignee, ResetScope, TaskCommand, TaskId};
use forge_testkit::engine_fixture::EngineFixture;

/// A task whose first coder committed one file, left another uncommitted, and failed.
async fn half_done(world: &EngineFixture) -> TaskId {
    let script =
        "git -c user.name=a -c user.email=a@b commit --quiet --allow-empty -m kept; exit 3";
    let task = world.work_on(EngineFixture::task_request("Half"), script).await;
    assert_eq!(
        world.load_task(task).await.state.as_str(),
        "blocked",
        "a failing agent needs a person"
    );
    std::fs::write(world.workspace_dir(task).await.join("loose.txt"), "loose\n").unwrap();
    task
}

async fn reassign(world: &EngineFixture, task: TaskId, reset: ResetScope) {
    let second = world.agent("second", "echo second > second.txt").await.unwrap();
    let now = world.reassign(task, second, reset).await;
    assert_eq!(now.state.as_str(), "todo", "back to the queue, no claim by itself");
}

#[tokio::test]
async fn t_14_reset_worktree_drops_loose_edits_keeps_commits_and_saves_what_it_drops() {
    let world = EngineFixture::new().await;
    let task = half_done(&world).await;
    reassign(&world, task, ResetScope::Worktree).await;
    let workspace = world.load_task(task).await.workspace.unwrap();
    assert!(!std::path::Path::new(&workspace.path).join("loose.txt").exists());
    assert_eq!(world.repository.subjects(&workspace.branch).await, ["kept", "first"]);
    let saved = format!("refs/forge/journal/{task}/2");
    assert_eq!(world.repository.git(&["show", &format!("{saved}:loose.txt")]).await, "loose");
}

#[tokio::test]
async fn t_14_reset_workspace_starts_the_next_claim_afresh_and_loses_nothing() {
    let world = EngineFixture::new().await;
    let task = half_done(&world).await;
    reassign(&world, task, ResetScope::Workspace).await;
    assert!(world.load_task(task).await.workspace.is_none());
    let kept = world.repository.git(&["for-each-ref", "--format=%(subject)", "refs/forge"]).await;
    assert!(kept.contains("kept"), "P-1: the branch is archived: {kept}");
    let now = world.claim_again(task, "second").await;
    assert_eq!(now.state.as_str(), "review");
    let subjects = world.repository.subjects(&now.workspace.unwrap().branch).await;
    assert_eq!(subjects, ["Half", "first"], "the new branch starts from the target");
}

/// An execution that has committed once, has uncommitted changes, and continues.
const AT_WORK: &str = "[ -e own.txt ] && exec tail -f /dev/null; echo own > own.txt; git add .; \
     git -c user.name=a -c user.email=a@b commit -qm own; echo loose > loose.txt; echo edit >> own.txt; \
     echo > \"$HOME/up\"; exec tail -f /dev/null";

async fn assert_only_loose_edits_are_gone(world: &EngineFixture, task: TaskId) {
    let workspace = world.load_task(task).await.workspace.unwrap();
    let place = std::path::Path::new(&workspace.path);
    assert!(!place.join("loose.txt").exists(), "untracked files are gone");
    assert_eq!(std::fs::read_to_string(place.join("own.txt")).unwrap(), "own\n");
    let subjects = world.repository.subjects(&workspace.branch).await;
    assert_eq!(subjects, ["own", "first"], "the branch is at its last own commit");
    let entries =
        world.engine().journals().journal_entries(&world.load_task(task).await).await.unwrap();
    let saved =
        entries.iter().find(|entry| entry.has_changes).expect("the edits are in the journal");
    let shown = async |path: &str| {
        world.repository.git(&["show", &format!("{}:{path}", saved.commit)]).await
    };
    assert_eq!(shown("loose.txt").await, "loose");
    assert_eq!(shown("own.txt").await, "own\nedit");
}

#[tokio::test]
async fn issue_13_03_reset_worktree_drops_the_edits_of_the_run_that_it_ends() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", AT_WORK).await;
    let second = world.agent("second", "true").await.unwrap();
    let (role, assignee) = (RoleName::new("coder"), Assignee::Agent { id: second });
    let assign = TaskCommand::Assign { role, assignee, reset: ResetScope::Worktree };
    world
        .run_once_running(|| async {
            world
                .engine()
                .commands()
                .handle(EngineFixture::acting_user(), task, assign)
                .await
                .unwrap();
        })
        .await;
    assert_eq!(world.load_task(task).await.state.as_str(), "todo");
    assert_only_loose_edits_are_gone(&world, task).await;
}

#[tokio::test]
async fn issue_13_03_reset_worktree_after_a_stop_drops_the_stopped_executions_edits() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", AT_WORK).await;
    world
        .run_once_running(|| async {
            let execution = world.load_task(task).await.run.unwrap().execution;
            let stop = TaskCommand::StopRun { execution, reason: None };
            world
                .engine()
                .commands()
                .handle(EngineFixture::acting_user(), task, stop)
                .await
                .unwrap();
        })
        .await;
    let place = world.workspace_dir(task).await;
    assert!(place.join("loose.txt").exists(), "a stop alone throws nothing away");
    reassign(&world, task, ResetScope::Worktree).await;
    assert_only_loose_edits_are_gone(&world, task).await;
}

#[tokio::test]
async fn issue_13_03_a_stopped_executions_edits_are_submitted_with_its_task() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", AT_WORK).await;
    world.run_once_running(|| async { world.request_move(task, "review").await }).await;
    let branch = world.load_task(task).await.workspace.unwrap().branch;
    assert_eq!(world.repository.git(&["show", &format!("{branch}:loose.txt")]).await, "loose");
}
