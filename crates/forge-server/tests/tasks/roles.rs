//! Assigning roles (T-14).

use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

#[tokio::test]
async fn t_14_a_new_coder_stops_the_old_one_and_starts_from_the_queue() {
    let board = Board::new().await;
    let edited = board.meeting("edited");
    let script = format!("echo half > half.txt; {}; {WAITS}", edited.announce());
    let (old, new) = (board.agent("old", &script).await, board.agent("new", WAITS).await);
    let task = board.task(json!({ "title": "One" })).await;
    let claimed = board.claim(&task, &old).await;
    edited.announced().await;
    let place = text(&board.read(&format!("/tasks/{task}/workspace")).await["path"]);
    let path = format!("/tasks/{task}/roles/coder");
    let given = board.done(&path, json!({ "agent_id": new, "reset_worktree": true })).await;
    assert_eq!((&given["status"], &given["busy"]), (&json!("todo"), &Value::Null));
    assert_eq!(given["roles"]["coder"], json!({ "agent_id": new, "user_id": null }));
    let run = board.read(&format!("/executions/{}", text(&claimed["execution"]["id"]))).await;
    assert_eq!((&run["status"], &run["outcome"]), (&json!("finished"), &json!("stopped")));
    board.quiet(&task).await;
    let place = std::path::Path::new(&place);
    assert!(place.join("numbers.txt").exists(), "the worktree stays");
    let kept = board.repository.git(&["log", "--all", "--format=%H", "--", "half.txt"]).await;
    assert!(!kept.is_empty(), "P-1: what was there is still reachable");
    let again = board.claim(&task, &new).await;
    assert_eq!(again["execution"]["agent_id"], json!(new));
}

#[tokio::test]
async fn issue_13_03_the_answer_to_a_reset_comes_after_it() {
    let board = Board::new().await;
    let edited = board.meeting("edited");
    let script = format!("echo half > half.txt; {}; {WAITS}", edited.announce());
    let (old, new) = (board.agent("old", &script).await, board.agent("new", WAITS).await);
    let task = board.task(json!({ "title": "One" })).await;
    board.claim(&task, &old).await;
    edited.announced().await;
    let workspace = board.read(&format!("/tasks/{task}/workspace")).await;
    let path = format!("/tasks/{task}/roles/coder");
    board.done(&path, json!({ "agent_id": new, "reset_worktree": true })).await;
    let half = std::path::Path::new(&text(&workspace["path"])).join("half.txt");
    assert!(!half.exists(), "it is reset when the answer is here");
    let now = board.read(&format!("/tasks/{task}/workspace")).await;
    assert_eq!(now["head"], workspace["head"], "and nothing was committed");
}

/// M-4: a pass is valid only for the work that was reviewed.
#[tokio::test]
async fn t_14_a_passed_review_does_not_hold_for_the_next_coder() {
    let board = Board::new().await;
    let new = board.agent("new", WAITS).await;
    let task = board.task(json!({ "title": "One" })).await;
    board.done(&format!("/tasks/{task}/claim"), json!({})).await;
    let passed = board.move_to(&task, "review").await;
    assert!(passed["task"]["review_passed_at"].is_string());
    let given = board.done(&format!("/tasks/{task}/roles/coder"), json!({ "agent_id": new })).await;
    assert_eq!(given["review_passed_at"], Value::Null);
    assert_eq!(given["status"], "todo");
}

#[tokio::test]
async fn t_14_other_roles_are_plain_upserts() {
    let board = Board::new().await;
    let me = board.read("/auth/me").await["user"]["id"].clone();
    let coder = board.agent("coder", WAITS).await;
    let task = board.task(json!({ "title": "One" })).await;
    board.claim(&task, &coder).await;
    let path = format!("/tasks/{task}/roles/reviewer");
    board.done(&path, json!({ "agent_id": coder })).await;
    let given = board.done(&path, json!({ "user_id": me })).await;
    assert_eq!(given["roles"]["reviewer"], json!({ "agent_id": null, "user_id": me }));
    assert_eq!((&given["status"], &given["busy"]), (&json!("in_progress"), &json!("running")));
}

#[tokio::test]
async fn t_14_invalid_role_holders_are_refused() {
    let board = Board::new().await;
    let agent = board.agent("coder", WAITS).await;
    let task = board.task(json!({ "title": "One" })).await;
    let nobody = "01900000-0000-7000-8000-000000000000";
    let path = format!("/tasks/{task}/roles");
    let details = board
        .refused(&format!("{path}/cook"), json!({ "agent_id": agent }), 422, "unknown_role")
        .await;
    assert_eq!(details["allowed"], json!(["planner", "coder", "reviewer"]));
    let coder = format!("{path}/coder");
    for who in ["agent", "user"] {
        let mut asked = json!({});
        asked[format!("{who}_id")] = json!(nobody);
        let details = board.refused(&coder, asked, 404, "not_found").await;
        assert_eq!(details["kind"], who);
    }
    board.refused(&coder, json!({}), 422, "invalid_field").await;
    board
        .refused(&coder, json!({ "agent_id": agent, "user_id": nobody }), 422, "invalid_field")
        .await;
    board.refused(&coder, json!({ "agent_id": "me" }), 422, "invalid_field").await;
    let extra = json!({ "agent_id": agent, "reset": true });
    let details = board.refused(&coder, extra, 422, "unknown_field").await;
    assert_eq!(details["fields"], json!(["reset"]));
    let found = board.show(&task).await;
    assert_eq!((&found["roles"], &found["version"]), (&json!({}), &json!(1)), "nothing changed");
    board.done(&format!("/tasks/{task}/cancel"), json!({})).await;
    board.refused(&coder, json!({ "agent_id": agent }), 409, "task_terminal").await;
}
