//! Answers about work that cannot be done now: immediate, and never as if it were done (issue 13.20).

use serde_json::json;

use super::board::{Board, WAITS, text};

#[tokio::test]
async fn issue_13_20_a_claim_answers_while_the_shared_directory_is_in_use() {
    let settings = |command: &str| json!({ "setup": { "commands": [command] } });
    let board = Board::new().await;
    let asked = json!({
        "name": "Plain", "workspace_type": "persistent_directory", "settings": settings("true"),
    });
    let project = text(&board.created("/projects", asked).await["id"]);
    let up = board.meeting("up");
    let agent = board.agent("coder", &format!("{}; {WAITS}", up.announce())).await;
    let tasks = format!("/projects/{project}/tasks");
    let first = text(&board.created(&tasks, json!({ "title": "First" })).await["id"]);
    board.claim(&first, &agent).await;
    up.announced().await;
    // The second task has to wait to run its setup there.
    let path = format!("/projects/{project}");
    let patch = json!({ "version": 1, "settings": settings("echo again") });
    assert_eq!(board.server.patch(&path, patch).await.0, 200);
    let agent = board.agent("other", "echo done > done.txt").await;
    let second = text(&board.created(&tasks, json!({ "title": "Second" })).await["id"]);
    let claim = format!("/tasks/{second}/claim");
    let (status, claimed) = board.server.post(&claim, json!({ "agent_id": agent })).await;
    assert_eq!(status, 202, "{claimed}");
    assert_eq!(claimed["task"]["id"], json!(second));
    board.done(&format!("/tasks/{first}/cancel"), json!({})).await;
    board.reached(&second, |task| task.attempts == 1).await;
}

#[tokio::test]
async fn issue_13_20_a_claim_answers_while_no_workspace_can_be_created() {
    let board = Board::new().await;
    let agent = board.agent("coder", "echo done > done.txt").await;
    let task = board.task(json!({ "title": "One" })).await;
    // Simulates a disk that accepts no writes: the workspace root is not a directory.
    let root = board.server.directory().join("data").join("workspaces");
    let aside = board.server.directory().join("aside");
    std::fs::rename(&root, &aside).expect("moved");
    std::fs::write(&root, "").expect("a file");
    let claim = format!("/tasks/{task}/claim");
    let (status, claimed) = board.server.post(&claim, json!({ "agent_id": agent })).await;
    assert_eq!(status, 202, "{claimed}");
    std::fs::remove_file(&root).expect("removed");
    std::fs::rename(&aside, &root).expect("moved back");
    board.reached(&task, |task| task.attempts == 1).await;
}

#[tokio::test]
async fn issue_13_20_a_reset_that_failed_is_not_answered_as_done() {
    let board = Board::new().await;
    let agent = board.agent("coder", "echo old > old.txt").await;
    let task = board.task(json!({ "title": "Work" })).await;
    board.claim(&task, &agent).await;
    board.reached(&task, |task| task.attempts == 1 && !task.is_settling()).await;
    board.quiet(&task).await;
    let (path, away) = (board.repository.path(), board.server.directory().join("away"));
    std::fs::rename(path, &away).expect("moved");
    let reset = format!("/tasks/{task}/workspace/reset");
    let details = board.refused(&reset, json!({}), 409, "reset_failed").await;
    assert!(details["message"].as_str().is_some_and(|message| !message.is_empty()), "{details}");
    std::fs::rename(&away, path).expect("moved back");
    let done = board.done(&reset, json!({})).await;
    assert_eq!(done["error_annotation"], json!(null), "{done}");
}
