//! FIFOs, sockets and devices in place of files block nothing (W-18).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

use forge_domain::TaskCommand;
use forge_domain::task::AnnotationType;
use forge_engine::{DiffLimits, DiffScope, WorkspaceFindings};
use forge_testkit::engine_fixture::EngineFixture;
use std::time::{Duration, Instant};

/// What an agent leaves, and the reported path.
const SPECIAL: &[(&str, &str)] = &[
    ("mkfifo .gitattributes; echo x >> README.md", ".gitattributes"),
    ("mkfifo .gitignore; echo x > x.txt", ".gitignore"),
    ("rm numbers.txt; mkfifo numbers.txt", "numbers.txt"),
    ("mkdir new; mkfifo new/.gitignore; echo x > new/x.txt", "new/.gitignore"),
];

/// Below git's own shortest timeout of a minute, and far above the need of a busy machine.
const SOON: Duration = Duration::from_secs(50);

#[tokio::test]
async fn issue_13_09_special_files_are_reported_and_block_no_list_diff_or_cancel() {
    for (script, path) in SPECIAL {
        let world = EngineFixture::new().await;
        let project = world.board_project().await;
        let good = world
            .claimed_task(project, EngineFixture::task_request("Good"), "good", "echo g > g.txt")
            .await;
        world.settle().await.unwrap();
        let began = Instant::now();
        let bad =
            world.claimed_task(project, EngineFixture::task_request("Bad"), "bad", script).await;
        world.settle().await.unwrap();
        let now = world.load_task(bad).await;
        let trouble = now.annotation.clone().unwrap_or_else(|| panic!("{path} is told"));
        assert_eq!(trouble.kind, AnnotationType::WorkspaceError, "{path}: {trouble:?}");
        assert!(trouble.message.contains(path), "{}", trouble.message);
        let engine = world.engine();
        let both = [world.load_task(good).await, now.clone()];
        let mut list = engine.workspace_views().workspace_summaries(&both).await.into_iter();
        let found = list.next().unwrap().unwrap().found;
        assert!(matches!(found, WorkspaceFindings::Present { .. }), "{path}: {found:?}");
        match list.next().unwrap().unwrap().found {
            WorkspaceFindings::Unknown { reason } => assert!(reason.contains(path), "{reason}"),
            // Git itself can count the differing files if a tracked one is no longer a file.
            found => panic!("{path}: {found:?}"),
        }
        let refused =
            engine.workspace_views().diff(&now, DiffScope::All, DiffLimits::default()).await;
        let refused = refused.expect_err("it cannot be compared").to_string();
        assert!(refused.contains(path), "{refused}");
        let cancel = TaskCommand::Cancel { reason: None };
        engine.commands().handle(EngineFixture::acting_user(), bad, cancel).await.unwrap();
        world.settle().await.unwrap();
        assert_eq!(world.load_task(bad).await.state.as_str(), "cancelled", "{path}");
        engine
            .commands()
            .handle(EngineFixture::acting_user(), bad, TaskCommand::CleanWorkspace)
            .await
            .unwrap();
        world.settle().await.unwrap();
        let kept = world.workspaces().join(".kept");
        assert_eq!(std::fs::read_dir(kept).unwrap().count(), 1, "P-1: {path} is kept whole");
        assert_eq!(world.land_task(good).await.state.as_str(), "done", "{path}");
        assert!(began.elapsed() < SOON, "{path} took {:?}", began.elapsed());
    }
}

#[tokio::test]
async fn issue_13_09_a_task_at_work_is_cancelled_although_git_cannot_read_its_workspace() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let script = "mkfifo .gitattributes; echo up > \"$HOME/up\"; sleep 1000";
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", script).await;
    let began = Instant::now();
    let now = world.cancel_once_running(task).await;
    assert_eq!(now.state.as_str(), "cancelled");
    assert!(now.run.is_none(), "its run is over");
    assert!(began.elapsed() < SOON, "{:?}", began.elapsed());
}

#[tokio::test]
async fn issue_13_09_special_files_that_git_does_not_open_cause_no_trouble() {
    let world = EngineFixture::new().await;
    let script = "mkdir run; mkfifo run/pipe; mkfifo pipe; echo x > x.txt";
    let task = world.worked_task(script).await;
    let landed = world.land_task(task).await;
    assert_eq!(landed.state.as_str(), "done", "{:?}", landed.annotation);
}
