//! A dependent task never lands before its dependency (T-6, issue 13.18).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::AnnotationType;
use forge_domain::workflow::StateName;
use forge_domain::{Refusal, TaskCommand, TaskId};
use forge_engine::EngineError;
use forge_testkit::engine_fixture::EngineFixture;

async fn depend(world: &EngineFixture, task: TaskId, on: TaskId) {
    let command = TaskCommand::AddDependency { on };
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), task, command)
        .await
        .expect("it can wait");
}

/// A dependent task that was claimed before its dependency, and has reached its merge state.
async fn waiting(world: &EngineFixture) -> (TaskId, TaskId) {
    let project = world.project("Board", EngineFixture::workflow("autopilot")).await.unwrap();
    let first = world.task(project, EngineFixture::task_request("first")).await.unwrap();
    let dependent = EngineFixture::task_request("dependent");
    let dependent = world.claimed_task(project, dependent, "coder", "echo b > b.txt").await;
    depend(world, dependent, first).await;
    world.engine().drain().await.expect("everything is carried out");
    let now = world.load_task(dependent).await;
    let trouble = now.annotation.clone().expect("it says what it waits for");
    assert_eq!((now.state.as_str(), trouble.kind), ("merging", AnnotationType::DependencyOpen));
    assert!(trouble.message.contains("T-1"), "{}", trouble.message);
    assert!(!now.is_settling(), "no request waits for that");
    (first, dependent)
}

#[tokio::test]
async fn issue_13_18_a_dependent_lands_by_itself_after_its_dependency() {
    let world = EngineFixture::new().await;
    let (first, dependent) = waiting(&world).await;
    let agent = world.agent("first", "echo a > a.txt").await.unwrap();
    world.claim(first, agent).await.unwrap();
    world.engine().drain().await.expect("everything is carried out");
    for task in [first, dependent] {
        let task = world.load_task(task).await;
        assert_eq!(task.state.as_str(), "done", "{}: {:?}", task.title, task.annotation);
    }
    let log = world.repository.git(&["log", "--format=%s", "main"]).await;
    let order: Vec<_> = log.lines().collect();
    assert_eq!(order, ["dependent (T-2)", "first (T-1)", "first"], "the newest first");
}

#[tokio::test]
async fn issue_13_18_a_dependent_is_parked_when_its_dependency_is_cancelled() {
    let world = EngineFixture::new().await;
    let (first, dependent) = waiting(&world).await;
    let cancel = TaskCommand::Cancel { reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), first, cancel).await.unwrap();
    world.engine().drain().await.expect("everything is carried out");
    let parked = world.load_task(dependent).await;
    let trouble = parked.annotation.clone().expect("it says why");
    assert_eq!(
        (parked.state.as_str(), trouble.kind),
        ("blocked", AnnotationType::DependencyFailed)
    );
    assert!(trouble.message.contains("T-1"), "{}", trouble.message);
}

#[tokio::test]
async fn issue_13_18_a_person_cannot_land_a_dependent_first() {
    let world = EngineFixture::new().await;
    let dependent = world.worked_task("echo b > b.txt").await;
    let project = world.board_project().await;
    let first = world.task(project, EngineFixture::task_request("first")).await.unwrap();
    depend(&world, dependent, first).await;
    let version = Some(world.load_task(dependent).await.version);
    let command = TaskCommand::Move { to: StateName::new("merging"), version, reason: None };
    let refused =
        world.engine().commands().handle(EngineFixture::acting_user(), dependent, command).await;
    let Err(EngineError::Refused(Refusal::DependencyGate { blocking })) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!(blocking, ["T-2"]);
}
