//! Checkouts of a target that an interrupted landing left behind (issue 13.1): they are completed before anything else
//! lands there, and nothing lands on a target that moved under its checkout.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::TaskId;
use forge_domain::task::AnnotationType;
use forge_engine::FaultAction;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;

async fn reviewed(world: &EngineFixture, title: &str, script: &str) -> TaskId {
    let project = world.board_project().await;
    let task = world.claimed_task(project, EngineFixture::task_request(title), title, script).await;
    world.settle().await.expect("everything is carried out");
    assert_eq!(world.load_task(task).await.state.as_str(), "review");
    task
}

/// Performs effects until the planned death.
async fn until_death(world: &EngineFixture) {
    let died = world.faults.died();
    tokio::select! {
        () = died.cancelled() => {}
        ended = world.engine().drain() => panic!("it was to die: {ended:?}"),
    }
}

async fn status(world: &EngineFixture) -> String {
    world.repository.git(&["status", "--porcelain"]).await
}

/// The exact course of the issue: killed after A's files and before the index; then B lands while A's effect is slow,
/// and is killed after the ref moved and before B's files.
#[tokio::test]
async fn issue_13_01_two_crashes_around_landings_leave_nothing_for_the_next_commit_to_take_back() {
    let mut world = EngineFixture::new().await;
    let first = reviewed(&world, "A", "echo a > A.txt").await;
    let second = reviewed(&world, "B", "echo b > B.txt").await;
    world.restart_with(FaultSweep::injecting_at("land.written", FaultAction::Die)).await;
    world.request_move(first, "merging").await;
    until_death(&world).await;
    assert!(world.repository.path().join("A.txt").exists(), "A's files are written");

    // A's effect hangs once leased; B's dies with the ref moved.
    let faults = [("effect.leased", FaultAction::Die), ("land.moved", FaultAction::Die)];
    world.restart_with(FaultSweep::injecting_at_each(&faults)).await;
    world.engine().tick().await.expect("A's step is taken");
    world.request_move(second, "merging").await;
    tokio::select! {
        () = world.faults.wait_for_point("land.moved") => {}
        ended = world.engine().drain() => panic!("B's step was to die: {ended:?}"),
    }
    assert!(!world.repository.path().join("B.txt").exists(), "B's files are not written");

    world.restart().await;
    world.settle().await.expect("everything is carried out");
    for task in [first, second] {
        let task = world.load_task(task).await;
        assert_eq!(task.state.as_str(), "done", "{}: {:?}", task.title, task.annotation);
    }
    assert_eq!(status(&world).await, "");
    world.repository.write("mine.txt", "mine\n");
    world.repository.commit("a person's next commit").await;
    let files = world.repository.git(&["ls-tree", "--name-only", "HEAD"]).await;
    for file in ["A.txt", "B.txt", "mine.txt"] {
        assert!(files.lines().any(|name| name == file), "{file} is in main: {files}");
    }
}

#[tokio::test]
async fn issue_13_01_a_landing_waits_while_its_target_was_moved_under_the_checkout() {
    let world = EngineFixture::new().await;
    let task = reviewed(&world, "A", "echo a > A.txt").await;
    let repository = &world.repository;
    repository.git(&["checkout", "--quiet", "-b", "side"]).await;
    repository.write("foreign.txt", "foreign\n");
    repository.commit("by other hands").await;
    repository.git(&["checkout", "--quiet", "main"]).await;
    repository.git(&["update-ref", "refs/heads/main", "side"]).await;
    let before = repository.git(&["rev-parse", "main"]).await;
    world.request_move(task, "merging").await;
    world.engine().drain().await.expect("everything is carried out");
    let trouble = world.load_task(task).await.annotation.expect("it waits for a person");
    assert_eq!(trouble.kind, AnnotationType::TargetCheckoutDirty);
    assert_eq!(trouble.details["files"], serde_json::json!(["foreign.txt"]));
    assert!(trouble.message.contains("foreign.txt"), "{}", trouble.message);
    assert_eq!(repository.git(&["rev-parse", "main"]).await, before, "nothing landed");
    repository.git(&["reset", "--quiet", "--hard"]).await;
    world.settle().await.expect("everything is carried out");
    assert_eq!(world.load_task(task).await.state.as_str(), "done");
    assert_eq!(status(&world).await, "");
}
