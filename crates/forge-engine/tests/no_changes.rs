//! An agent that changes nothing does not pass silently (E-6, issue 13 number 11).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, ReviewConfig, TaskSnapshot};
use forge_domain::{TaskCommand, TaskId};
use forge_engine::AgentSpec;
use forge_store::tables::{self, reviews::ReviewRowStatus};
use forge_testkit::engine_fixture::EngineFixture;
use serde_json::json;

/// A `claude` that was refused its tool; it works if a file exists.
const REFUSED: &str = r#"
cat > /dev/null
if [ -e "$HOME/allowed" ]; then echo work > work.txt; fi
echo '{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make"}}]},"session_id":"s-1"}'
echo '{"type":"system","subtype":"permission_denied","tool_name":"Bash","tool_use_id":"t1","message":"This command requires approval","session_id":"s-1"}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"I may not run make.","session_id":"s-1"}'
"#;
const CHECK: &str = "echo checked >> \"$HOME/checks\"";

async fn reviewed(world: &EngineFixture, config: ReviewConfig) -> TaskSnapshot {
    let project = world.board_project().await;
    let asked = AgentSpec {
        name: "ada".to_owned(),
        executor: json!({ "kind": "claude", "command": ["sh", "-c", REFUSED, "claude"] }),
        roles: Vec::new(),
        max_concurrent: 1,
        ephemeral: false,
        fallback: None,
    };
    let ada = world
        .engine()
        .agents()
        .create_agent(EngineFixture::acting_user(), asked)
        .await
        .expect("taken")
        .id;
    let mut task = EngineFixture::task_request("Work");
    task.review_config = Some(config);
    let task = world.task(project, task).await.expect("a task");
    world.claim(task, ada).await.expect("claimed");
    world.engine().drain().await.expect("carried out");
    world.load_task(task).await
}

fn checked() -> ReviewConfig {
    ReviewConfig { ci_steps: vec![CHECK.to_owned()], ..ReviewConfig::default() }
}

async fn statuses(world: &EngineFixture, task: TaskId) -> Vec<ReviewRowStatus> {
    let reviews = tables::reviews::list_of_task(world.engine().db(), task).await.expect("reviews");
    reviews.iter().map(|review| review.status).collect()
}

#[tokio::test]
async fn issue_13_11_an_agent_without_changes_stops_at_the_gate_with_its_refused_tools() {
    let world = EngineFixture::new().await;
    let task = reviewed(&world, checked()).await;
    assert_eq!(task.state.as_str(), "review");
    let note = task.annotation.clone().expect("noted");
    assert_eq!(note.kind, AnnotationType::NoChanges);
    assert_eq!(note.details["answer"], "I may not run make.");
    assert_eq!(note.details["refused"][0]["tool"], "Bash");
    assert_eq!(note.details["refused"][0]["input"], "{\"command\":\"make\"}");
    assert_eq!(statuses(&world, task.id).await, [ReviewRowStatus::NoChanges]);
    assert!(!world.home().join("checks").exists(), "no check ran");
    assert!(task.rejections.is_empty(), "no attempt was spent");
}

#[tokio::test]
async fn issue_13_11_a_person_sends_it_back_and_the_next_attempt_is_checked() {
    let world = EngineFixture::new().await;
    let task = reviewed(&world, checked()).await;
    std::fs::write(world.home().join("allowed"), "").expect("is written");
    let reject = TaskCommand::Reject { attempt: 1, reason: "write it by hand".to_owned() };
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), task.id, reject)
        .await
        .expect("sent back");
    world.engine().drain().await.expect("carried out");
    let now = world.load_task(task.id).await;
    assert!(now.annotation.is_none(), "{:?}", now.annotation);
    assert_eq!(
        statuses(&world, task.id).await,
        [ReviewRowStatus::NoChanges, ReviewRowStatus::Passed]
    );
    assert_eq!(world.lines("checks"), ["checked"]);
}

#[tokio::test]
async fn issue_13_11_a_person_lets_it_pass() {
    let world = EngineFixture::new().await;
    let task = reviewed(&world, checked()).await;
    let approve = TaskCommand::Approve { attempt: 1, reason: None };
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), task.id, approve)
        .await
        .expect("approved");
    world.engine().drain().await.expect("carried out");
    let now = world.load_task(task.id).await;
    assert!(now.annotation.is_none() && now.review_passed_at.is_some(), "{:?}", now.annotation);
    assert_eq!(statuses(&world, task.id).await, [ReviewRowStatus::Passed]);
}

#[tokio::test]
async fn issue_13_11_a_task_can_allow_it() {
    let world = EngineFixture::new().await;
    let config = ReviewConfig { allow_no_changes: true, ..checked() };
    let task = reviewed(&world, config).await;
    assert!(task.review_passed_at.is_some(), "{:?}", task.annotation);
    assert_eq!(statuses(&world, task.id).await, [ReviewRowStatus::Passed]);
    assert_eq!(world.lines("checks"), ["checked"]);
}
