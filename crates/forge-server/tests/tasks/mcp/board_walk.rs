//! A task from its creation to its landing, by tools alone (S-3).

use serde_json::json;

use super::mcp_client::McpClient;
use crate::board::Board;

#[tokio::test]
async fn s_3_tools_take_a_task_from_created_to_landed() {
    let board = Board::new().await;
    let script = "echo error: one warning >&2; echo hello > hello.txt; git add -A; \
                  git -c user.name=a -c user.email=a@b commit -qm hello";
    board.agent("claude", script).await;
    let client = McpClient::admin(&board.server);
    let made = client
        .done("forge_create_task", json!({ "title": "Say hello", "labels": ["small"] }))
        .await;
    assert_eq!((&made["task"]["key"], &made["task"]["status"]), (&json!("T-1"), &json!("backlog")));
    let claimed =
        client.done("forge_assign_agent", json!({ "task": "T-1", "agent": "claude" })).await;
    assert!(claimed["execution"]["id"].is_string(), "{claimed}");
    let waited = client
        .done("forge_wait", json!({ "tasks": ["T-1"], "until": "idle", "seconds": 60 }))
        .await;
    assert_eq!(
        (&waited["reached"], &waited["tasks"][0]["status"]),
        (&json!(true), &json!("review"))
    );
    let diff = client.call("forge_get_task_diff", json!({ "task": "T-1" })).await;
    assert_eq!(diff.value["files"][0]["path"], "hello.txt", "{}", diff.value);
    assert!(diff.value["files"][0]["patch"].as_str().is_some_and(|patch| patch.contains("+hello")));
    assert_eq!(diff.links, ["forge://task/T-1/diff"]);
    let read = client.result("resources/read", json!({ "uri": diff.links[0] })).await;
    assert!(read["contents"][0]["text"].as_str().is_some_and(|text| text.contains("+hello")));
    let log = client.done("forge_read_log", json!({ "task": "T-1" })).await;
    assert!(
        log["errors"][0]["text"].as_str().is_some_and(|text| text.contains("one warning")),
        "{log}"
    );
    assert_eq!(log["execution"]["outcome"], "succeeded");
    let needs = client.done("forge_read", json!({ "what": "needs_person" })).await;
    assert_eq!(needs["items"][0]["reason"], "review_passed", "{needs}");
    let merged = client.done("forge_merge", json!({ "task": "T-1" })).await;
    assert_eq!(merged["task"]["key"], "T-1", "{merged}");
    let waited = client
        .done("forge_wait", json!({ "tasks": ["T-1"], "until": "ended", "seconds": 60 }))
        .await;
    assert_eq!(waited["tasks"][0]["status"], "done", "{waited}");
    let tasks = client.done("forge_read", json!({ "what": "tasks", "status": "done" })).await;
    assert_eq!(tasks["items"][0]["roles"]["coder"], "claude", "names, not identifiers: {tasks}");
    let prompts = client.result("prompts/list", json!({})).await;
    assert_eq!(prompts["prompts"].as_array().map(Vec::len), Some(3));
    let asked = json!({ "name": "review-task", "arguments": { "task": "T-1" } });
    let prompt = client.result("prompts/get", asked).await;
    assert!(
        prompt["messages"][0]["content"]["text"].as_str().is_some_and(|text| text.contains("T-1"))
    );
}

#[tokio::test]
async fn s_3_a_wait_ends_at_its_deadline_and_stops_nothing() {
    let board = Board::new().await;
    let agent = board.agent("claude", crate::board::WAITS).await;
    let task = board.task(json!({ "title": "Long" })).await;
    board.claim(&task, &agent).await;
    let client = McpClient::admin(&board.server);
    let waited = client.done("forge_wait", json!({ "tasks": ["T-1"], "seconds": 0 })).await;
    assert_eq!(waited["reached"], false, "{waited}");
    assert_eq!(board.show(&task).await["status"], "in_progress");
    client.done("forge_cancel_task", json!({ "task": "T-1", "reason": "enough" })).await;
}

/// Three hundred tasks with long descriptions fit into pages of less than 8,000 tokens of four bytes.
#[tokio::test]
async fn s_3_large_results_come_in_pages_with_a_cursor() {
    let board = Board::new().await;
    for number in 0..60 {
        let labels: Vec<_> =
            (0..20).map(|label| format!("label-{number}-{label}-{}", "x".repeat(25))).collect();
        board
            .task(json!({ "title": format!("{number} {}", "t".repeat(400)), "labels": labels }))
            .await;
    }
    let client = McpClient::admin(&board.server);
    let (mut keys, mut cursor) = (Vec::new(), json!(null));
    loop {
        let asked = json!({ "what": "tasks", "limit": 60, "cursor": cursor });
        let page = client.done("forge_read", asked).await;
        assert!(page.to_string().len() < 32_000, "{}", page.to_string().len());
        assert!(page["cut"].is_null(), "the page is smaller instead");
        let items = page["items"].as_array().expect("items");
        keys.extend(items.iter().map(|task| task["key"].as_str().expect("a key").to_owned()));
        cursor = page["next_cursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 60, "every task once");
    let described = board.task(json!({ "title": "Big", "description": "d".repeat(90_000) })).await;
    let shown = client.done("forge_read", json!({ "what": "task", "task": described })).await;
    assert!(shown.to_string().len() < 32_000 && shown["cut"].is_string());
}
