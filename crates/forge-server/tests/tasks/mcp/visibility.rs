//! What a credential gives access to over the protocol is what it gives access to over REST (S-6).

use forge_api::actions::ACTIONS;
use serde_json::{Value, json};

use super::mcp_client::McpClient;
use crate::board::Board;
use crate::support::TestUser;

#[tokio::test]
async fn s_3_the_url_chooses_the_set_of_a_user() {
    let board = Board::new().await;
    let client = McpClient::admin(&board.server);
    let own = client.tool_names().await;
    let run = McpClient { url: "/mcp/run", ..client }.tool_names().await;
    let all = McpClient { url: "/mcp/all", ..client }.tool_names().await;
    assert!(own.contains(&"forge_assign_agent".to_owned()));
    assert!(run.contains(&"forge_complete".to_owned()) && run.len() < own.len());
    assert!(own.iter().chain(&run).all(|name| all.contains(name)) && all.len() > own.len());
    let refused = client.refused("forge_pause_dispatch", json!({}), "unknown_tool").await;
    assert!(refused["why"].as_str().is_some_and(|why| why.contains("/mcp/all")), "{refused}");
    let paused =
        McpClient { url: "/mcp/all", ..client }.done("forge_pause_dispatch", json!({})).await;
    assert!(paused["paused_at"].is_string(), "{paused}");
}

/// Every tool that reads or changes something, called by a user who is no member.
#[tokio::test]
async fn s_6_a_member_of_another_project_reaches_nothing() {
    let board = Board::new().await;
    let task = board.task(json!({ "title": "Hidden", "description": "a secret plan" })).await;
    let other = board.other_project("Other").await;
    let user = TestUser::new(&board.server, "mallory").await;
    user.join(&other).await;
    let client = McpClient { server: &board.server, url: "/mcp/all", token: &user.token };
    let before = board.show(&task).await;
    let list = client.result("tools/list", json!({})).await;
    let mut tried = 0;
    for tool in list["tools"].as_array().expect("tools") {
        let name = tool["name"].as_str().expect("a name");
        let properties = tool["inputSchema"]["properties"].as_object().expect("properties");
        let task_list = || json!([task]);
        let mut arguments = json!({});
        for (argument, value) in [
            ("task", json!(task)),
            ("tasks", task_list()),
            ("parent", json!(task)),
            ("other", json!(task)),
            ("project", json!(board.project)),
        ] {
            if properties.contains_key(argument) {
                arguments[argument] = value;
            }
        }
        if arguments == json!({}) {
            continue;
        }
        for required in tool["inputSchema"]["required"].as_array().into_iter().flatten() {
            let required = required.as_str().expect("a name");
            if arguments[required].is_null() {
                arguments[required] = filler(&properties[required]);
            }
        }
        // A read of everything may leave the project out; the tools below name it.
        let result = client.call(name, arguments.clone()).await;
        let text = result.value.to_string();
        assert!(!text.contains("secret plan") && !text.contains("Hidden"), "{name}: {text}");
        if name != "forge_read" {
            assert!(result.is_error, "{name} {arguments}: {text}");
        }
        tried += 1;
    }
    assert!(tried > 40, "{tried} of {} tools", list["tools"].as_array().map_or(0, Vec::len));
    let missing = json!({ "what": "task", "task": "T-1", "project": "board" });
    client.refused("forge_read", missing, "not_found").await;
    let hidden =
        client.modern("resources/read", json!({ "uri": format!("forge://task/{task}") })).await;
    assert_eq!(hidden.json()["error"]["code"], -32602, "{hidden:?}");
    assert_eq!(board.show(&task).await, before, "nothing was changed");
}

fn filler(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("integer") => json!(1),
        Some("boolean") => json!(false),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => schema["enum"].get(0).cloned().unwrap_or(json!("x")),
    }
}

#[tokio::test]
async fn s_6_a_read_only_token_reads_and_changes_nothing() {
    let board = Board::new().await;
    board.task(json!({ "title": "One" })).await;
    let asked = json!({ "name": "reader", "scope": "read_only" });
    let token =
        board.created("/tokens", asked).await["secret"].as_str().expect("a token").to_owned();
    let client = McpClient { server: &board.server, url: "/mcp", token: &token };
    let tasks = client.done("forge_read", json!({ "what": "tasks" })).await;
    assert_eq!(tasks["items"][0]["title"], "One");
    client.refused("forge_create_task", json!({ "title": "Two" }), "forbidden").await;
    assert_eq!(board.items(&format!("/projects/{}/tasks", board.project)).await.len(), 1);
}

/// The secrets of this protocol are those of REST: what is excluded there has no tool here.
#[tokio::test]
async fn s_3_no_tool_changes_users_tokens_or_roles() {
    let board = Board::new().await;
    let all = McpClient { url: "/mcp/all", ..McpClient::admin(&board.server) };
    let names = all.tool_names().await;
    for action in ACTIONS {
        let is_excluded = ["/tokens", "/users", "/me", "/auth/l", "/tasks/{id}/roles"]
            .iter()
            .any(|path| action.path.starts_with(path) && action.name != "me");
        let tool = format!("forge_{}", action.name);
        assert!(!(is_excluded && names.contains(&tool)), "{tool}");
    }
}
