//! Cleanup of workspaces over HTTP (W-7, W-9, W-10).

use std::path::PathBuf;

use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

async fn place(board: &Board, task: &str) -> PathBuf {
    PathBuf::from(text(&board.read(&format!("/tasks/{task}/workspace")).await["path"]))
}

#[tokio::test]
async fn w_9_a_reset_answers_when_the_new_workspace_is_ready() {
    let board = Board::new().await;
    let agent = board.agent("coder", "echo old > old.txt").await;
    let task = board.task(json!({ "title": "Work" })).await;
    let path = format!("/tasks/{task}/workspace/reset");
    let missing = board.refused(&path, json!({}), 409, "workspace_missing").await;
    assert_eq!(missing["key"], "T-1");
    board.claim(&task, &agent).await;
    board.reached(&task, |task| task.review_passed_at.is_some()).await;
    let old = place(&board, &task).await;
    assert!(old.join("old.txt").exists());
    let actions = board.items(&format!("/tasks/{task}/actions")).await;
    let action = actions.iter().find(|action| action["name"] == "reset_workspace").unwrap();
    assert_eq!(action["path"], format!("/api/v1{path}"));
    let after = board.done(&path, json!({})).await;
    assert_eq!((&after["status"], &after["error_annotation"]), (&json!("todo"), &Value::Null));
    let new = place(&board, &task).await;
    assert!(new.join("README.md").exists() && !new.join("old.txt").exists());
}

#[tokio::test]
async fn w_9_a_reset_is_refused_while_the_workspace_is_in_use() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let task = board.task(json!({ "title": "Work" })).await;
    board.claim(&task, &agent).await;
    board.reached(&task, |task| !task.is_settling()).await;
    let path = format!("/tasks/{task}/workspace/reset");
    let details = board.refused(&path, json!({}), 409, "workspace_locked").await;
    assert!(text(&details["holder"]).contains("coder"), "{details}");
    board.done(&format!("/tasks/{task}/cancel"), json!({})).await;
}

#[tokio::test]
async fn w_7_w_10_removals_and_orphans_are_listed_and_only_removals_done() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "Work" })).await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    let path = place(&board, &task).await;
    std::fs::write(path.join("loose.txt"), "not committed\n").unwrap();
    let lost = path.parent().unwrap().join("lost");
    std::fs::create_dir(&lost).unwrap();
    board.done(&format!("/tasks/{task}/cancel"), json!({})).await;

    let orphans = board.items("/workspaces/orphans").await;
    assert_eq!(orphans.len(), 1, "{orphans:?}");
    assert_eq!(orphans[0]["path"], lost.to_str().unwrap());
    assert_eq!(
        (&orphans[0]["size"], &orphans[0]["git_record_in"]),
        (&json!("empty"), &Value::Null)
    );

    let would = board.done("/workspaces/clean", json!({ "dry_run": true })).await;
    let verdicts = |answer: &Value| -> Vec<String> {
        answer["items"].as_array().unwrap().iter().map(|item| text(&item["verdict"])).collect()
    };
    assert_eq!(verdicts(&would), ["would_be_removed", "orphan"], "{would}");
    let saved = text(&would["items"][0]["saved_under"]);
    assert!(path.exists(), "a dry run changes nothing");
    let did = board.done("/workspaces/clean", json!({})).await;
    assert_eq!(verdicts(&did), ["removed", "orphan"], "{did}");
    assert!(!path.exists() && lost.exists());
    // The content is saved after the answer.
    board.quiet(&task).await;
    let kept = board
        .repository
        .git(&["log", "--format=", "--name-only", &format!("--glob={saved}*")])
        .await;
    assert!(kept.contains("loose.txt"), "{kept}");
    let again = board.done(&format!("/tasks/{task}/workspace/clean"), json!({})).await;
    assert_eq!(again["verdict"], "blocked", "{again}");
}
