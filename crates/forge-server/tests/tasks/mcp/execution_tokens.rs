//! The token of an execution: its own set at every URL, and its own task (S-3, E-3).

use http::Method;
use serde_json::json;

use super::mcp_client::McpClient;
use crate::board::{Board, WAITS, text};

const URLS: [&str; 3] = ["/mcp", "/mcp/run", "/mcp/all"];

/// Starts an agent on a task; returns the token of its execution.
async fn token_of(board: &Board, task: &str, agent: &str) -> String {
    let said = board.meeting(&format!("said-{agent}"));
    let file = board.server.directory().join(format!("token-{agent}"));
    let script =
        format!("printf %s \"$FORGE_TOKEN\" > '{}'; {}; {WAITS}", file.display(), said.announce());
    let id = board.agent(agent, &script).await;
    board.claim(task, &id).await;
    said.announced().await;
    std::fs::read_to_string(file).expect("the token")
}

#[tokio::test]
async fn s_3_an_execution_has_its_own_set_at_every_url_and_finishes_its_task() {
    let board = Board::new().await;
    let own = board.task(json!({ "title": "Own" })).await;
    let other = board.task(json!({ "title": "Other" })).await;
    let token = token_of(&board, &own, "coder").await;
    let client = McpClient { server: &board.server, url: "/mcp", token: &token };
    let names = client.tool_names().await;
    for url in URLS {
        assert_eq!(McpClient { url, ..client }.tool_names().await, names, "{url}");
    }
    assert!(names.contains(&"forge_complete".to_owned()));
    assert!(!names.contains(&"forge_create_task".to_owned()), "{names:?}");
    let shown = client.done("forge_show_task", json!({})).await;
    assert_eq!((&shown["key"], &shown["title"]), (&json!("T-1"), &json!("Own")));
    assert_eq!(client.done("forge_show_task", json!({ "task": "T-1" })).await["key"], "T-1");
    client.done("forge_comment", json!({ "body": "half way" })).await;
    let comments = client.done("forge_show_task", json!({ "what": "comments" })).await;
    assert_eq!(comments["items"][0]["body"], "half way");
    client.done("forge_get_task_diff", json!({})).await;
    client.done("forge_read_log", json!({})).await;
    // Another task is as if it did not exist.
    let refused = client.refused("forge_show_task", json!({ "task": "T-2" }), "not_found").await;
    let again = &refused["try"];
    client.done(again["tool"].as_str().expect("a tool"), again["arguments"].clone()).await;
    client.refused("forge_show_task", json!({ "task": other }), "not_found").await;
    client.refused("forge_comment", json!({ "task": other, "body": "x" }), "not_found").await;
    client.refused("forge_create_task", json!({ "title": "x" }), "unknown_tool").await;
    let listed = client.result("resources/list", json!({})).await;
    assert_eq!(listed["resources"].as_array().map(Vec::len), Some(4), "{listed}");
    let uri = json!({ "uri": format!("forge://task/{own}/diff") });
    client.result("resources/read", uri).await;
    let completed = client.done("forge_complete", json!({ "reason": "all done" })).await;
    assert_eq!(completed["task"]["status"], "review", "{completed}");
    board.reached(&own, |task| task.attempts == 1 && !task.is_settling()).await;
    let request = board.server.stranger(Method::POST, "/mcp/run");
    let request = request.header("authorization", format!("Bearer {token}"));
    let answer = board.server.send(request, Some("{}")).await;
    answer.failed_with(401, "unauthorized");
}

#[tokio::test]
async fn s_3_a_planner_has_the_tools_that_direct_agents_and_the_limits_of_its_token() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "Plan" })).await;
    let other = board.task(json!({ "title": "Other" })).await;
    // The planner's state comes first only if the role has a holder.
    let said = board.meeting("planning");
    let file = board.server.directory().join("token");
    let script =
        format!("printf %s \"$FORGE_TOKEN\" > '{}'; {}; {WAITS}", file.display(), said.announce());
    let agent = board.agent("planner", &script).await;
    let assign = json!({ "agent_id": agent });
    board.done(&format!("/tasks/{task}/roles/planner"), assign.clone()).await;
    board.move_to(&task, "todo").await;
    board.claim(&task, &agent).await;
    said.announced().await;
    assert_eq!(board.show(&task).await["status"], "planning");
    let token = std::fs::read_to_string(file).expect("the token");
    for url in URLS {
        let client = McpClient { server: &board.server, url, token: &token };
        let names = client.tool_names().await;
        for verb in ["spawn", "steer", "agent_diff", "check_agents", "wait"] {
            assert!(names.contains(&format!("forge_{verb}")), "{url}: {names:?}");
        }
        assert!(!names.contains(&"forge_cancel_task".to_owned()), "{names:?}");
        let subtasks = client.done("forge_check_agents", json!({})).await;
        assert_eq!(subtasks, json!({ "items": [] }), "it has no subtasks yet");
        for (tool, mut arguments) in [
            ("forge_steer", json!({ "message": "x" })),
            ("forge_stop", json!({})),
            ("forge_mark_failed", json!({})),
            ("forge_agent_diff", json!({})),
            ("forge_cleanup", json!({})),
        ] {
            arguments["task"] = json!(other);
            let result = client.call(tool, arguments).await;
            assert!(result.is_error, "{tool}: {}", result.value);
            let code = text(&result.value["code"]);
            assert!(["not_found", "forbidden"].contains(&code.as_str()), "{tool}: {code}");
        }
    }
}
