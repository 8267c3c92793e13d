//! Automatic dispatch, and why a task waits, over HTTP (E-10, E-11).

use serde_json::{Value, json};

use super::board::{Board, WAITS, text};
use super::support::TestUser;

async fn served() -> Board {
    let dispatch = json!({ "enabled": true, "max_concurrent": 5 });
    Board::with(json!({ "name": "Board", "settings": { "dispatch": dispatch } })).await
}

/// The codes of the reasons for which a task waits.
async fn codes(board: &Board, task: &str) -> Vec<String> {
    let why = board.read(&format!("/tasks/{task}/why")).await;
    let reasons = why["reasons"].as_array().expect("a list");
    reasons.iter().map(|reason| text(&reason["code"])).collect()
}

#[tokio::test]
async fn e_10_a_queued_task_is_dispatched_and_the_next_one_says_why_it_waits() {
    let board = served().await;
    let first = board.task(json!({ "title": "First", "queue": false })).await;
    assert_eq!(codes(&board, &first).await, [""; 0], "dispatch ignores the backlog");
    board.move_to(&first, "todo").await;
    assert_eq!(codes(&board, &first).await, ["no_agent"]);
    let agent = board.agent_with("ada", WAITS, 1).await;
    let begun = board.reached(&first, |task| task.run.is_some()).await;
    assert_eq!(begun.roles.len(), 1);
    assert_eq!(board.show(&first).await["roles"]["coder"]["agent_id"], json!(agent));
    let moves = board.items(&format!("/tasks/{first}/transitions")).await;
    let by: Vec<&Value> = moves.iter().map(|moved| &moved["triggered_by"]["kind"]).collect();
    assert!(by.contains(&&json!("system")), "{moves:?}");

    // With dispatch on a new task starts in the queue.
    let second = board.task(json!({ "title": "Second" })).await;
    let why = board.read(&format!("/tasks/{second}/why")).await;
    assert_eq!((&why["claimable"], &why["place"]), (&json!(true), &Value::Null));
    assert_eq!(why["reasons"][0]["code"], "agent_at_capacity");
    assert_eq!(why["reasons"][0]["subjects"], json!(["ada"]));
    assert!(text(&why["reasons"][0]["message"]).starts_with("ada is busy"), "{why}");
    let waiting = board.read(&format!("/projects/{}/waiting", board.project)).await;
    assert_eq!(waiting, json!([why]));
    board.done(&format!("/tasks/{first}/cancel"), json!({})).await;
    board.reached(&second, |task| task.run.is_some()).await;
    board.done(&format!("/tasks/{second}/cancel"), json!({})).await;
}

#[tokio::test]
async fn e_10_only_admins_can_pause_dispatch() {
    let board = served().await;
    let ann = TestUser::new(&board.server, "ann").await;
    assert_eq!(ann.post("/system/dispatch/pause", json!({})).await.status, 403);
    let paused = board.done("/system/dispatch/pause", json!({})).await;
    assert!(paused["paused_at"].is_string(), "{paused}");
    assert_eq!(ann.get("/system/dispatch").await.json(), paused);
    board.agent("ada", "echo x > x").await;
    let task = board.task(json!({ "title": "One" })).await;
    assert_eq!(codes(&board, &task).await, ["dispatch_paused"]);
    let resumed = board.done("/system/dispatch/resume", json!({})).await;
    assert_eq!(resumed["paused_at"], Value::Null);
    board.reached(&task, |task| task.visit > 1).await;
}

#[tokio::test]
async fn e_10_invalid_dispatch_settings_are_refused_with_their_path() {
    let board = Board::new().await;
    let path = format!("/projects/{}", board.project);
    let project = board.read(&path).await;
    let off = json!({ "enabled": false, "max_concurrent": null, "hold_conflicts": false });
    assert_eq!(project["settings"]["dispatch"], off, "off by default");
    let dispatch = json!({ "enabled": true, "max_concurrent": 0 });
    let patch = json!({ "version": project["version"], "settings": { "dispatch": dispatch } });
    let (status, answer) = board.server.patch(&path, patch).await;
    assert_eq!((status, &answer["code"]), (422, &json!("invalid_field")), "{answer}");
    assert_eq!(answer["details"]["path"], "settings.dispatch.max_concurrent");
}
