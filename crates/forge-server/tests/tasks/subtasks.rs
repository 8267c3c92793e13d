//! Subtasks over HTTP (T-16, T-17).

use serde_json::{Value, json};

use super::board::{Board, text};

fn turn(parent: &str, title: &str) -> Value {
    json!({ "title": title, "parent": parent, "subtask_mode": "ordered_turn" })
}

#[tokio::test]
async fn t_17_ordered_turns_follow_the_parents_execution_and_precede_its_gate() {
    let board = Board::new().await;
    let agent = board.agent("coder", "echo \"$FORGE_TASK_ID\" >> log.txt").await;
    let quiet = board.agent("quiet", "true").await;
    let parent = board.task(json!({ "title": "Work" })).await;
    let mut second = turn(&parent, "Second");
    second["subtask_order"] = json!(7);
    second["roles"] = json!({ "coder": { "agent_id": quiet } });
    let second = board.task(second).await;
    let mut first = turn(&parent, "First");
    first["subtask_order"] = json!(3);
    let first = board.task(first).await;
    board.claim(&parent, &agent).await;
    board.reached(&parent, |task| task.review_passed_at.is_some()).await;

    let parts = board.items(&format!("/tasks/{parent}/subtasks")).await;
    let listed: Vec<_> = parts.iter().map(|part| (&part["title"], &part["status"])).collect();
    assert_eq!(listed, [(&json!("First"), &json!("done")), (&json!("Second"), &json!("done"))]);
    assert_eq!(parts[0]["parent"], json!(parent));
    let how = &parts[0]["subtask"];
    assert_eq!((&how["mode"], &how["order"]), (&json!("ordered_turn"), &json!(3)));
    assert!(how["commit"].is_string() && how["no_changes"] == false, "{how}");
    let how = &parts[1]["subtask"];
    assert_eq!((&how["commit"], &how["no_changes"]), (&Value::Null, &json!(true)), "{how}");
    // Seed 000: an ordered turn uses its parent's workspace.
    let (own, shared) = (format!("/tasks/{parent}/workspace"), format!("/tasks/{first}/workspace"));
    let (own, shared) = (board.read(&own).await, board.read(&shared).await);
    assert_eq!((&own["path"], &own["branch"]), (&shared["path"], &shared["branch"]));
    let moves = board.items(&format!("/tasks/{second}/transitions")).await;
    assert!(moves.iter().any(|moved| moved["trigger_reason"] == "no_changes"), "{moves:?}");
    let runs = board.items(&format!("/tasks/{first}/executions")).await;
    assert_eq!(runs[0]["agent_id"], json!(agent), "the parent's coder takes it");
}

#[tokio::test]
async fn t_17_missing_requirements_of_ordered_turns_are_refused_by_name() {
    let board = Board::new().await;
    let agent = board.agent("coder", "true").await;
    let parent = board.task(json!({ "title": "Work" })).await;
    let first = board.task(turn(&parent, "First")).await;
    let second = board.task(turn(&parent, "Second")).await;
    let claim = json!({ "agent_id": agent });
    let path = format!("/tasks/{first}/claim");
    let details = board.refused(&path, claim.clone(), 409, "PARENT_WORKSPACE_REQUIRED").await;
    assert_eq!(details, json!({ "key": "T-2", "parent": "T-1" }));
    board.done(&format!("/tasks/{parent}/claim"), json!({})).await;
    let path = format!("/tasks/{second}/claim");
    let details = board.refused(&path, claim, 412, "SUBTASK_SEQUENCE_NOT_COMPLETE").await;
    assert_eq!(details, json!({ "key": "T-3", "open": ["T-2"] }));
    let version = board.show(&parent).await["version"].clone();
    let asked = json!({ "status": "review", "version": version });
    let path = format!("/tasks/{parent}/transition");
    let details = board.refused(&path, asked.clone(), 412, "SUBTASK_SEQUENCE_NOT_COMPLETE").await;
    assert_eq!(details, json!({ "key": "T-1", "open": ["T-2", "T-3"] }));
    for turn in [first, second] {
        board.done(&format!("/tasks/{turn}/cancel"), json!({})).await;
    }
    board.done(&path, asked).await;
}

#[tokio::test]
async fn t_16_t_17_invalid_subtask_requests_are_refused() {
    let board = Board::new().await;
    let path = format!("/projects/{}/tasks", board.project);
    let parent = board.task(json!({ "title": "Work" })).await;
    let first = board.task(turn(&parent, "First")).await;
    let with = |base: &Value, name: &str, value: Value| {
        let mut asked = base.clone();
        asked[name] = value;
        asked
    };
    let (plain, ordered) = (json!({ "title": "x", "parent": parent }), turn(&parent, "x"));
    let cases = [
        (json!({ "title": "x", "subtask_mode": "ordered_turn" }), "parent"),
        (turn(&first, "x"), "parent"),
        (json!({ "title": "x", "parent": first }), "parent"),
        (with(&plain, "subtask_order", json!(1)), "subtask_order"),
        (with(&ordered, "subtask_target", json!("parent")), "subtask_target"),
        (with(&ordered, "kind", json!("session")), "kind"),
        (with(&ordered, "merge_config", json!({ "target_branch": "dev" })), "merge_config"),
        (with(&plain, "subtask_mode", json!("sometimes")), "subtask_mode"),
        (with(&ordered, "subtask_order", json!("first")), "subtask_order"),
    ];
    for (asked, place) in cases {
        let details = board.refused(&path, asked.clone(), 422, "invalid_field").await;
        assert_eq!(details["path"], place, "{asked}");
    }
    board
        .refused(&path, with(&ordered, "dependencies", json!([parent])), 422, "dependency_scope")
        .await;
    let edge = json!({ "depends_on_id": parent });
    board.refused(&format!("/tasks/{first}/dependencies"), edge, 422, "dependency_scope").await;
    let onto = with(&plain, "subtask_target", json!("parent"));
    board.refused(&path, onto, 409, "PARENT_WORKSPACE_REQUIRED").await;
    assert_eq!(
        board.items(&format!("/tasks/{parent}/subtasks")).await.len(),
        1,
        "nothing was made"
    );
    assert!(!text(&board.show(&first).await["id"]).is_empty());
}
