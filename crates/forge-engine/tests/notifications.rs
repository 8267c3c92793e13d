//! Events for notifications: a task needs a person, landed, failed (S-2, T-28).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::TaskId;
use forge_store::tables::events::{self, EventRow};
use forge_testkit::engine_fixture::EngineFixture;

const KINDS: [&str; 3] = ["task.needs_person", "task.landed", "task.failed"];

async fn notifications(world: &EngineFixture, task: TaskId) -> Vec<EventRow> {
    let all = events::of_task(world.engine().db(), task).await.unwrap();
    all.into_iter().filter(|event| KINDS.contains(&event.kind.as_str())).collect()
}

async fn started(world: &EngineFixture, workflow: &str, script: &str) -> TaskId {
    let project = world.project("Shop", EngineFixture::workflow(workflow)).await.unwrap();
    let task = world.claimed_task(project, EngineFixture::task_request("One"), "One", script).await;
    world.settle().await.unwrap();
    task
}

#[tokio::test]
async fn s_2_a_landing_is_announced_once_with_its_commit() {
    let world = EngineFixture::new().await;
    let task = started(&world, "autopilot", "echo x > x.txt").await;
    let seen = notifications(&world, task).await;
    let kinds: Vec<_> = seen.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["task.landed"], "nothing of it needs a person");
    let data = &seen[0].data;
    let commit = world.repository.git(&["rev-parse", "main"]).await;
    assert_eq!((&data["number"], &data["title"]), (&1.into(), &"One".into()));
    assert_eq!(
        (data["target"].as_str(), data["commit"].as_str()),
        (Some("main"), Some(commit.trim()))
    );
}

#[tokio::test]
async fn s_2_a_failed_execution_is_announced_as_failed_and_as_waiting() {
    let world = EngineFixture::new().await;
    let task = started(&world, "default", "exit 3").await;
    let seen = notifications(&world, task).await;
    let kinds: Vec<_> = seen.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["task.failed", "task.needs_person"]);
    for event in &seen {
        assert_eq!(event.data["reason"], "execution_failed");
        assert!(
            event.data["message"].as_str().is_some_and(|message| message.contains('3')),
            "{}",
            event.data
        );
    }
    assert_eq!(seen[0].data["needs_person"], true);
}

#[tokio::test]
async fn s_2_a_passed_review_that_waits_for_a_person_is_announced_without_a_failure() {
    let world = EngineFixture::new().await;
    let task = started(&world, "default", "echo x > x.txt").await;
    let seen = notifications(&world, task).await;
    let kinds: Vec<_> = seen.iter().map(|event| event.kind.as_str()).collect();
    assert_eq!(kinds, ["task.needs_person"]);
    assert_eq!(seen[0].data["reason"], "review_passed");
    let now = world.load_task(task).await;
    let rows = events::of_task(world.engine().db(), task).await.unwrap();
    let recorded: Vec<_> = rows.into_iter().map(|row| row.recorded().unwrap()).collect();
    assert_eq!(forge_domain::replay(&recorded), Some(now), "they change no snapshot");
}
