//! A client of the protocol, in both of its eras.

use http::Method;
use serde_json::{Value, json};

use crate::support::server::TOKEN;
use crate::support::{HttpAnswer, TestServer};

/// The revision without sessions.
pub(crate) const MODERN: &str = "2026-07-28";
/// The last revision with a handshake.
pub(crate) const LEGACY: &str = "2025-11-25";

/// A caller of one URL.
#[derive(Debug, Clone, Copy)]
pub(crate) struct McpClient<'a> {
    pub(crate) server: &'a TestServer,
    pub(crate) url: &'a str,
    pub(crate) token: &'a str,
}

/// The result of a tool.
#[derive(Debug, Clone)]
pub(crate) struct ToolResult {
    pub(crate) is_error: bool,
    pub(crate) value: Value,
    /// The links to resources.
    pub(crate) links: Vec<String>,
}

impl<'a> McpClient<'a> {
    /// The admin at the board's URL.
    pub(crate) fn admin(server: &'a TestServer) -> Self {
        Self { server, url: "/mcp", token: TOKEN }
    }

    /// Starts a request with the headers that every message has.
    pub(crate) fn request(&self) -> http::request::Builder {
        self.server
            .stranger(Method::POST, self.url)
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
    }

    /// Sends a request of the revision without sessions.
    pub(crate) async fn modern(&self, method: &str, mut params: Value) -> HttpAnswer {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientInfo": { "name": "tests", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        let mut request =
            self.request().header("mcp-protocol-version", MODERN).header("mcp-method", method);
        if let Some(name) = params["name"].as_str().or_else(|| params["uri"].as_str()) {
            request = request.header("mcp-name", name);
        }
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
        self.server.send(request, Some(body.to_string())).await
    }

    /// Sends a request of a revision with a handshake.
    pub(crate) async fn legacy(&self, method: &str, params: Value) -> HttpAnswer {
        let request = self.request().header("mcp-protocol-version", LEGACY);
        let body = json!({ "jsonrpc": "2.0", "id": "seven", "method": method, "params": params });
        self.server.send(request, Some(body.to_string())).await
    }

    /// The result of a request that must succeed.
    pub(crate) async fn result(&self, method: &str, params: Value) -> Value {
        let answer = self.modern(method, params).await;
        let body = answer.json();
        assert_eq!(answer.status, 200, "{method}: {body}");
        assert!(body["result"].is_object(), "{method}: {body}");
        body["result"].clone()
    }

    /// Calls a tool.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> ToolResult {
        let params = json!({ "name": tool, "arguments": arguments });
        let result = self.result("tools/call", params).await;
        let content = result["content"].as_array().expect("content");
        let value = result["structuredContent"].clone();
        let text = content[0]["text"].as_str().expect("text");
        assert_eq!(serde_json::from_str::<Value>(text).expect("JSON"), value, "the same twice");
        let links = content.iter().filter_map(|block| block["uri"].as_str());
        ToolResult {
            is_error: result["isError"] == true,
            links: links.map(str::to_owned).collect(),
            value,
        }
    }

    /// Calls a tool that must succeed.
    pub(crate) async fn done(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments.clone()).await;
        assert!(!result.is_error, "{tool} {arguments}: {}", result.value);
        result.value
    }

    /// Calls a tool that must be refused with this code; returns the refusal.
    pub(crate) async fn refused(&self, tool: &str, arguments: Value, code: &str) -> Value {
        let result = self.call(tool, arguments.clone()).await;
        assert!(result.is_error, "{tool} {arguments}: {}", result.value);
        assert_eq!(result.value["code"], code, "{tool} {arguments}: {}", result.value);
        let why = result.value["why"].as_str().unwrap_or_default();
        assert!(why.len() > 20, "{}", result.value);
        result.value
    }

    /// The names of the caller's tools.
    pub(crate) async fn tool_names(&self) -> Vec<String> {
        let list = self.result("tools/list", json!({})).await;
        let tools = list["tools"].as_array().expect("tools").iter();
        tools.map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    }
}
