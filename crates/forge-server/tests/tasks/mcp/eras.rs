//! One endpoint answers clients of both eras (S-3).

use http::Method;
use serde_json::json;

use super::mcp_client::{LEGACY, MODERN, McpClient};
use crate::support::TestServer;

#[tokio::test]
async fn s_3_a_client_without_a_handshake_discovers_lists_and_calls() {
    let server = TestServer::start().await;
    let client = McpClient::admin(&server);
    let found = client.result("server/discover", json!({})).await;
    let versions = found["supportedVersions"].as_array().expect("versions");
    assert!(versions.contains(&json!(MODERN)) && versions.contains(&json!(LEGACY)), "{found}");
    assert!(found["capabilities"]["tools"].is_object(), "{found}");
    assert!(found["instructions"].as_str().is_some_and(|text| text.len() < 2_048), "{found}");
    let list = client.result("tools/list", json!({})).await;
    assert_eq!(list["resultType"], "complete");
    assert_eq!((&list["cacheScope"], list["ttlMs"].is_u64()), (&json!("private"), true));
    assert_eq!(list["tools"][0]["name"], "forge_create_task");
    let again = client.result("tools/list", json!({})).await;
    assert_eq!(list["tools"], again["tools"], "the order is fixed");
    let agents = client.done("forge_read", json!({ "what": "agents" })).await;
    assert_eq!(agents, json!({}), "there are none yet");
}

#[tokio::test]
async fn s_3_a_client_with_a_handshake_needs_no_session() {
    let server = TestServer::start().await;
    let client = McpClient::admin(&server);
    for (asked, agreed) in [(LEGACY, LEGACY), ("2025-06-18", "2025-06-18"), ("1999-01-01", LEGACY)]
    {
        let params = json!({
            "protocolVersion": asked,
            "capabilities": {},
            "clientInfo": { "name": "tests", "version": "1" },
        });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params });
        let answer = server.send(client.request(), Some(body.to_string())).await;
        let result = &answer.json()["result"];
        assert_eq!(
            (answer.status, &result["protocolVersion"]),
            (200, &json!(agreed)),
            "{answer:?}"
        );
        assert_eq!(result["serverInfo"]["name"], "forge");
        assert_eq!(answer.header("mcp-session-id"), "", "no state in a connection");
    }
    let body = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let answer = server.send(client.request(), Some(body.to_string())).await;
    assert_eq!((answer.status, answer.text.as_str()), (202, ""));
    let list = client.legacy("tools/list", json!({})).await.json();
    assert_eq!(list["id"], "seven");
    assert_eq!(list["result"]["tools"][0]["name"], "forge_create_task");
    let call = json!({ "name": "forge_read", "arguments": { "what": "projects" } });
    let called = client.legacy("tools/call", call).await.json();
    assert_eq!(called["result"]["isError"], false, "{called}");
    let ping = client.legacy("ping", json!({})).await;
    assert_eq!((ping.status, &ping.json()["result"]), (200, &json!({})));
    // Other methods belonged to sessions.
    for method in [Method::GET, Method::DELETE] {
        let request = server
            .stranger(method, "/mcp")
            .header("accept", "text/event-stream")
            .header("authorization", format!("Bearer {}", client.token));
        let answer = server.send(request, None::<String>).await;
        assert_eq!(answer.status, 405, "{answer:?}");
    }
}
