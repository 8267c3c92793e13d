//! Wrong calls: each comes back with a code, and with a correction that succeeds when it is applied (S-3).

use serde_json::{Value, json};

use super::mcp_client::McpClient;
use crate::board::{Board, WAITS};

/// Makes the wrong call, then the corrected one.
async fn corrected(client: McpClient<'_>, tool: &str, arguments: Value, code: &str) -> Value {
    let refusal = client.refused(tool, arguments, code).await;
    let again = &refusal["try"];
    let tool = again["tool"].as_str().expect("a tool");
    let result = client.call(tool, again["arguments"].clone()).await;
    assert!(!result.is_error, "{refusal}\n{}", result.value);
    again.clone()
}

#[tokio::test]
async fn s_3_twenty_wrong_calls_are_corrected() {
    let board = Board::new().await;
    board.agent("claude", WAITS).await;
    let fresh = board.task(json!({ "title": "One" })).await;
    board.task(json!({ "title": "Two" })).await;
    let client = McpClient::admin(&board.server);
    let long = "x".repeat(600);
    let megabyte = "x".repeat(1_000_000);
    let wrong = [
        // Bad names of things.
        ("forge_read", json!({ "what": "task", "task": "T-99" }), "not_found"),
        ("forge_read", json!({ "what": "task", "task": "banana" }), "not_found"),
        ("forge_read", json!({ "what": "tasks", "project": "bord" }), "not_found"),
        ("forge_create_task", json!({ "title": "x", "project": "bord" }), "not_found"),
        ("forge_create_task", json!({ "title": "x", "repo": "rep" }), "not_found"),
        ("forge_craete_task", json!({ "title": "x" }), "unknown_tool"),
        // Stale and forbidden.
        (
            "forge_update_task",
            json!({ "task": "T-1", "version": 999, "priority": 3 }),
            "version_conflict",
        ),
        ("forge_move_task", json!({ "task": "T-1", "status": "done" }), "invalid_transition"),
        ("forge_move_task", json!({ "task": "T-2", "status": "tood" }), "invalid_transition"),
        ("forge_merge", json!({ "task": "T-1" }), "review_not_passed"),
        ("forge_review", json!({ "task": "T-1", "decision": "approve" }), "review_over"),
        ("forge_steer", json!({ "task": "T-1", "message": "x" }), "not_found"),
        ("forge_hand_off", json!({ "task": "T-1", "message": "x" }), "nothing_to_hand_off"),
        // Missing and misspelt.
        ("forge_create_task", json!({}), "invalid_field"),
        ("forge_create_task", json!({ "titel": "x" }), "unknown_field"),
        ("forge_read", json!({}), "invalid_field"),
        ("forge_cancel_task", json!({}), "invalid_field"),
        // Values of the wrong form.
        ("forge_create_task", json!({ "title": "x", "priority": "high" }), "invalid_field"),
        ("forge_create_task", json!({ "title": 7 }), "invalid_field"),
        ("forge_create_task", json!({ "title": "x", "labels": "one" }), "invalid_field"),
        ("forge_read", json!({ "what": "everything" }), "invalid_field"),
        ("forge_read", json!({ "what": "tasks", "phase": "running" }), "invalid_query"),
        ("forge_read", json!({ "what": "tasks", "limit": 100_000 }), "invalid_field"),
        ("forge_read", json!({ "what": "tasks", "cursor": "zzz" }), "invalid_query"),
        ("forge_wait", json!({ "tasks": "T-1", "seconds": 0 }), "invalid_field"),
        // Too large.
        ("forge_create_task", json!({ "title": long }), "invalid_field"),
        ("forge_comment", json!({ "task": fresh, "body": megabyte }), "invalid_field"),
    ];
    assert!(wrong.len() >= 20);
    for (tool, arguments, code) in wrong {
        corrected(client, tool, arguments, code).await;
    }
    let assign = json!({ "task": "T-2", "agent": "cluade" });
    let again = corrected(client, "forge_assign_agent", assign.clone(), "not_found").await;
    assert_eq!(again["arguments"]["agent"], "claude");
    let twice = json!({ "task": "T-2", "agent": "claude" });
    corrected(client, "forge_assign_agent", twice, "already_claimed").await;
    let cycle = json!({ "task": "T-1", "depends_on": "T-1" });
    let refused = client.call("forge_set_dependency", cycle).await;
    assert!(refused.is_error, "{}", refused.value);
    client.done("forge_cancel_task", json!({ "task": "T-2" })).await;
}

#[tokio::test]
async fn s_3_a_project_that_is_not_named_is_found_or_asked_for() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "One" })).await;
    let client = McpClient::admin(&board.server);
    let only = client.done("forge_read", json!({ "what": "task", "task": "T-1" })).await;
    assert_eq!(only["id"], json!(task));
    board.other_project("Second board").await;
    let asked = json!({ "what": "task", "task": "T-1" });
    let again = corrected(client, "forge_read", asked, "invalid_field").await;
    assert_eq!(again["arguments"]["project"], "board", "the project that has this task");
    let create = json!({ "title": "Where?" });
    let again = corrected(client, "forge_create_task", create, "invalid_field").await;
    assert_eq!(again["arguments"], json!({ "what": "projects" }), "a guess would be a wrong task");
    let named = json!({ "title": "There", "project": "second-board" });
    let made = client.done("forge_create_task", named).await;
    assert_eq!(made["task"]["key"], "T-1");
    let by_id = client.done("forge_read", json!({ "what": "task", "task": task })).await;
    assert_eq!(by_id["title"], "One");
}
