//! Landing many branches, over HTTP (M-11 to M-13).

use serde_json::json;

use super::board::{Board, text};

/// A board whose tasks land automatically.
async fn landing_board() -> Board {
    Board::with(json!({ "name": "Board", "workflow": "no-review" })).await
}

/// Sets the check that all tasks have to pass.
async fn check_by(board: &Board, step: &str) {
    let path = format!("/projects/{}", board.project);
    let version = board.read(&path).await["version"].clone();
    let settings = json!({
        "merge": { "train": true },
        "default_review_config": { "ci_steps": [step] },
    });
    let patch = json!({ "version": version, "settings": settings });
    let (status, answer) = board.server.patch(&path, patch).await;
    assert_eq!(status, 200, "{answer}");
}

#[tokio::test]
async fn m_13_a_train_is_shown_paused_and_resumed() {
    let board = landing_board().await;
    let (said, go) = (board.meeting("said"), board.meeting("go"));
    check_by(&board, &format!("{}; {}", said.announce(), go.wait())).await;
    let path = format!("/projects/{}/train", board.project);
    assert_eq!(board.read(&path).await, json!([]));
    let agent = board.agent("coder", "echo x > x").await;
    let task = board.task(json!({ "title": "One" })).await;
    board.claim(&task, &agent).await;
    said.announced().await;
    let shown = board.read(&path).await;
    let entry = &shown[0]["entries"][0];
    assert_eq!((text(&shown[0]["target"]), text(&entry["key"])), ("main".into(), "T-1".into()));
    assert_eq!(entry["state"], "running", "{shown}");
    board.done(&format!("{path}/pause"), json!({})).await;
    let project = board.read(&format!("/projects/{}", board.project)).await;
    assert_eq!(project["settings"]["merge"]["paused"], true);
    go.go_on().await;
    board.done(&format!("{path}/resume"), json!({})).await;
    let landed = board.reached(&task, |task| task.state.as_str() == "done").await;
    assert_eq!(landed.title, "One");
    let checks = board.read(&format!("/projects/{}/checks", board.project)).await;
    assert_eq!((&checks[0]["runs"], &checks[0]["failures"]), (&json!(1), &json!(0)));
}

/// T-12: cancelling ends the processes of a landing before the answer, and nothing has landed.
#[tokio::test]
async fn t_12_cancelling_a_trial_ends_its_checks() {
    let board = landing_board().await;
    let (said, never) = (board.meeting("said"), board.meeting("never"));
    check_by(&board, &format!("{}; {}", said.announce(), never.wait())).await;
    let agent = board.agent("coder", "echo x > x").await;
    let task = board.task(json!({ "title": "One" })).await;
    board.claim(&task, &agent).await;
    said.announced().await;
    let answer = board.done(&format!("/tasks/{task}/cancel"), json!({})).await;
    assert_eq!(answer["task"]["status"].as_str().or(answer["status"].as_str()), Some("cancelled"));
    let listed = board.repository.git(&["worktree", "list"]).await;
    assert!(!listed.contains("_merge-"), "no trial is left: {listed}");
    assert_eq!(board.repository.git(&["rev-list", "--count", "main"]).await, "1");
    assert_eq!(board.read(&format!("/projects/{}/train", board.project)).await, json!([]));
}

#[tokio::test]
async fn m_12_failures_of_a_quarantined_check_are_ignored_until_it_ends() {
    let board = landing_board().await;
    check_by(&board, "echo broken; exit 1").await;
    let path = format!("/projects/{}/checks/quarantine", board.project);
    board.refused(&path, json!({ "command": " ", "seconds": 5 }), 422, "invalid_field").await;
    let asked = json!({ "command": "echo broken; exit 1", "seconds": 3600 });
    let listed = board.done(&path, asked).await;
    assert!(listed[0]["quarantined_until"].is_string(), "{listed}");
    let agent = board.agent("coder", "echo x > \"$FORGE_TASK_ID\"").await;
    let task = board.task(json!({ "title": "One" })).await;
    board.claim(&task, &agent).await;
    board.reached(&task, |task| task.state.as_str() == "done").await;
    let ended = json!({ "command": "echo broken; exit 1", "seconds": 0 });
    let listed = board.done(&path, ended).await;
    assert!(listed[0]["quarantined_until"].is_null(), "{listed}");
    assert_eq!(listed[0]["failures"], 1, "{listed}");
    let task = board.task(json!({ "title": "Two" })).await;
    board.claim(&task, &agent).await;
    let left = board.reached(&task, |task| task.state.as_str() == "merge_failed").await;
    let trouble = left.annotation.expect("it says why");
    assert_eq!(trouble.kind, forge_domain::task::AnnotationType::MergeChecksFailed);
}
