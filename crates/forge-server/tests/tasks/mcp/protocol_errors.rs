//! Messages that violate the protocol get its errors and change nothing (S-3, S-6).

use http::Method;
use serde_json::{Value, json};

use super::mcp_client::{MODERN, McpClient};
use crate::support::{HttpAnswer, TestServer};

fn failed(answer: &HttpAnswer, status: u16, code: i64) {
    let body = answer.json();
    assert_eq!((answer.status, body["jsonrpc"].as_str()), (status, Some("2.0")), "{answer:?}");
    assert_eq!(body["error"]["code"], code, "{body}");
    assert!(body["error"]["message"].as_str().is_some_and(|text| !text.is_empty()), "{body}");
}

#[tokio::test]
async fn s_3_malformed_messages_get_errors_of_the_protocol() {
    let server = TestServer::start().await;
    let client = McpClient::admin(&server);
    let send = async |body: &str| server.send(client.request(), Some(body.to_owned())).await;
    failed(&send("{\"jsonrpc\": \"2.0\", ").await, 400, -32700);
    failed(&send("\u{0}").await, 400, -32700);
    failed(&send("[]").await, 400, -32600);
    failed(&send("{\"id\": 1, \"method\": \"tools/list\"}").await, 400, -32600);
    failed(&send("{\"jsonrpc\": \"2.0\", \"id\": 1}").await, 400, -32600);
    failed(&send("{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"ping\"}").await, 400, -32600);
    let list = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/list\", \"params\": []}";
    let answer = send(list).await;
    failed(&answer, 400, -32600);
    assert_eq!(answer.json()["id"], 1);
    let unnamed = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "arguments": "x" } });
    assert_eq!(send(&unnamed.to_string()).await.json()["error"]["code"], -32602);
    let unknown = client.modern("tools/forget", json!({})).await;
    failed(&unknown, 404, -32601);
}

#[tokio::test]
async fn s_3_oversized_messages_and_unknown_revisions_get_errors_of_the_protocol() {
    let server = TestServer::start_with(&[("FORGE_MAX_BODY_BYTES", "2048")]).await;
    let client = McpClient::admin(&server);
    let arguments = json!({ "name": "forge_read", "arguments": { "what": "x".repeat(80_000) } });
    failed(&client.legacy("tools/call", arguments).await, 413, -32600);
    let message = json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {} });
    let request = client.request().header("mcp-protocol-version", "2031-01-01");
    let answer = server.send(request, Some(message.to_string())).await;
    failed(&answer, 400, -32022);
    let data = &answer.json()["error"]["data"];
    assert!(data["supported"].as_array().is_some_and(|known| known.contains(&json!(MODERN))));
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2031-01-01",
        "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let message =
        json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": { "_meta": meta } });
    let request = client
        .request()
        .header("mcp-protocol-version", "2031-01-01")
        .header("mcp-method", "tools/list");
    failed(&server.send(request, Some(message.to_string())).await, 400, -32022);
    // A header that contradicts the body.
    let mut other = client.request().header("mcp-protocol-version", MODERN);
    other = other.header("mcp-method", "tools/call");
    let mut message = message;
    message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(MODERN);
    failed(&server.send(other, Some(message.to_string())).await, 400, -32020);
}

#[tokio::test]
async fn s_6_foreign_pages_and_callers_without_a_credential_reach_nothing() {
    let server = TestServer::start().await;
    let client = McpClient::admin(&server);
    let create = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": { "name": "forge_create_project", "arguments": { "name": "Evil" } },
    });
    for url in ["/mcp", "/mcp/run", "/mcp/all"] {
        let at = McpClient { url, ..client };
        let foreign = at.request().header("origin", "http://evil.example");
        let answer = server.send(foreign, Some(create.to_string())).await;
        answer.failed_with(403, "origin_refused");
        let foreign = server.stranger(Method::GET, url).header("origin", "http://evil.example");
        server.send(foreign, None::<String>).await.failed_with(403, "origin_refused");
        let request = server.stranger(Method::POST, url);
        let answer = server.send(request, Some(create.to_string())).await;
        answer.failed_with(401, "unauthorized");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
        let wrong = McpClient { url, token: "fg_wrong", ..client };
        wrong.modern("tools/list", json!({})).await.failed_with(401, "unauthorized");
    }
    let rebound =
        http::Request::builder().method("POST").uri("/mcp").header("host", "evil.example");
    let answer = server.send(rebound, Some(create.to_string())).await;
    answer.failed_with(403, "host_refused");
    let (_, projects) = server.get("/projects").await;
    assert_eq!(projects["items"], Value::Array(Vec::new()), "nothing was changed");
    // The page of the server itself may call.
    let own = format!("http://{}", server.address());
    let request =
        client.request().header("origin", own).header("mcp-protocol-version", "2025-11-25");
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    assert_eq!(server.send(request, Some(list.to_string())).await.status, 200);
}
