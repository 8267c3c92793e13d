//! Handing in work (P-3, S-4) and deleting tasks (P-1).

use http::Method;
use serde_json::json;

use super::board::{Board, text};
use super::support::TestUser;

#[tokio::test]
async fn s_4_a_user_hands_in_the_work_and_the_gate_answers() {
    let board = Board::new().await;
    let task =
        board.task(json!({ "title": "By hand", "review_config": { "ci_steps": ["true"] } })).await;
    let path = format!("/tasks/{task}/complete");
    board.refused(&path, json!({}), 409, "not_in_work").await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    let workspace = board.read(&format!("/tasks/{task}/workspace")).await;
    std::fs::write(format!("{}/made.txt", text(&workspace["path"])), "made\n").expect("written");
    board.refused(&path, json!({ "version": 1 }), 409, "version_conflict").await;
    let answer = board.done(&path, json!({ "reason": "made it" })).await;
    assert_eq!(answer["review"]["status"], "passed", "{answer}");
    assert_eq!(answer["task"]["status"], "review");
    let moves = board.items(&format!("/tasks/{task}/transitions")).await;
    let last = moves.last().expect("a transition");
    assert_eq!((&last["to_state"], &last["trigger_reason"]), (&json!("review"), &json!("made it")));
}

#[tokio::test]
async fn p_1_a_task_without_work_is_deleted() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "Mistake", "labels": ["a"] })).await;
    let mut events = board.server.events("?type=task.deleted", None).await;
    let (status, answer) = board.server.delete(&format!("/tasks/{task}")).await;
    assert_eq!(status, 204, "{answer}");
    assert_eq!(board.server.get(&format!("/tasks/{task}")).await.0, 404);
    let event = events.next().await.expect("an event");
    assert_eq!(event.data["task_id"], json!(task));
    let next = board.show(&board.task(json!({ "title": "Next" })).await).await;
    assert_eq!(next["number"], 2, "a number is never given twice");
}

#[tokio::test]
async fn p_1_work_is_never_deleted_with_its_task() {
    let board = Board::new().await;
    let refused = async |task: &str, why: &str| {
        let (status, answer) = board.server.delete(&format!("/tasks/{task}")).await;
        assert_eq!((status, &answer["code"]), (409, &json!("not_deletable")), "{answer}");
        let message = text(&answer["message"]);
        assert!(message.contains(why) && message.contains("forge task cancel T-"), "{message}");
    };
    let claimed = board.task(json!({ "title": "Claimed" })).await;
    board.done(&format!("/tasks/{claimed}/claim"), json!({})).await;
    refused(&claimed, "workspace").await;
    let cancelled = json!({ "reason": "no" });
    board.done(&format!("/tasks/{claimed}/cancel"), cancelled).await;
    refused(&claimed, "workspace").await;
    let first = board.task(json!({ "title": "First" })).await;
    let second = board.task(json!({ "title": "Second", "dependencies": [first] })).await;
    refused(&first, "other tasks wait for it: T-3").await;
    let part = board.task(json!({ "title": "Part", "parent": second })).await;
    refused(&second, "it has subtasks: T-4").await;
    for task in [part, second, first] {
        assert_eq!(board.server.delete(&format!("/tasks/{task}")).await.0, 204);
    }
    let outsider = TestUser::new(&board.server, "Out").await;
    let answer = board
        .server
        .send(outsider.request(Method::DELETE, &format!("/tasks/{claimed}")), None::<String>)
        .await;
    assert_eq!(answer.status, 404);
}
