//! Plays the two model APIs: a first request is answered with a tool call, one that brings its result with words.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

/// What happens to whoever asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Play {
    Work,
    Quota,
    Auth,
}

#[derive(Debug, Clone)]
pub(crate) struct StandIn {
    address: SocketAddr,
    heard: Arc<Mutex<Vec<String>>>,
}

const WORDS: &str = "answer.txt is written.\n{\"verdict\": \"pass\"}";
const COMMAND: &str = "echo forty-two > answer.txt";

impl StandIn {
    pub(crate) async fn start(play: Play) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("is bound");
        let heard = Arc::new(Mutex::new(Vec::new()));
        let router = Router::new().fallback(answer).with_state((play, Arc::clone(&heard)));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, heard }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The last request for words.
    pub(crate) fn last_request(&self) -> String {
        self.heard.lock().expect("not poisoned").last().cloned().unwrap_or_default()
    }
}

type Heard = Arc<Mutex<Vec<String>>>;

async fn answer(State((play, heard)): State<(Play, Heard)>, uri: Uri, body: Bytes) -> Response {
    let claude = uri.path() == "/v1/messages";
    if !claude && uri.path() != "/v1/responses" {
        return StatusCode::NOT_FOUND.into_response();
    }
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    heard.lock().expect("not poisoned").push(asked.to_string());
    match (play, claude) {
        (Play::Work, true) => claude_turn(&asked),
        (Play::Work, false) => codex_turn(&asked),
        (Play::Quota, true) => refusal(
            429,
            &json!({
                "type": "error",
                "error": { "type": "rate_limit_error", "message": "This request would exceed your account's rate limit." },
            }),
        ),
        (Play::Quota, false) => refusal(
            429,
            &json!({
                "error": { "type": "usage_limit_reached", "message": "The usage limit has been reached", "plan_type": "plus", "resets_in_seconds": 3600 },
            }),
        ),
        (Play::Auth, true) => refusal(
            401,
            &json!({
                "type": "error",
                "error": { "type": "authentication_error", "message": "invalid x-api-key" },
            }),
        ),
        (Play::Auth, false) => refusal(
            401,
            &json!({
                "error": { "type": "invalid_request_error", "code": "invalid_api_key", "message": "Incorrect API key provided" },
            }),
        ),
    }
}

fn refusal(status: u16, body: &Value) -> Response {
    let status = StatusCode::from_u16(status).expect("is a status");
    (status, [(header::CONTENT_TYPE, "application/json")], body.to_string()).into_response()
}

fn events(list: &[Value]) -> Response {
    let text: String = list
        .iter()
        .map(|event| {
            format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
        })
        .collect();
    ([(header::CONTENT_TYPE, "text/event-stream")], text).into_response()
}

fn claude_turn(asked: &Value) -> Response {
    let last = asked["messages"].as_array().and_then(|all| all.last()).cloned().unwrap_or_default();
    let has_write =
        asked["tools"].as_array().is_some_and(|all| all.iter().any(|tool| tool["name"] == "Write"));
    let done = last.to_string().contains("tool_result")
        || asked["messages"].to_string().contains("tool_result");
    let (block, delta, reason) = if done || !has_write {
        let block = json!({ "type": "text", "text": "" });
        (block, json!({ "type": "text_delta", "text": WORDS }), "end_turn")
    } else {
        let directory = working_directory(asked);
        let input =
            json!({ "file_path": format!("{directory}/answer.txt"), "content": "forty-two\n" });
        let block = json!({ "type": "tool_use", "id": "toolu_01", "name": "Write", "input": {} });
        let delta = json!({ "type": "input_json_delta", "partial_json": input.to_string() });
        (block, delta, "tool_use")
    };
    let usage = json!({ "input_tokens": 100, "cache_read_input_tokens": 50, "cache_creation_input_tokens": 7, "output_tokens": 1 });
    events(&[
        json!({ "type": "message_start", "message": { "id": format!("msg_{}", reason), "type": "message", "role": "assistant",
            "model": asked["model"], "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": reason, "stop_sequence": null }, "usage": { "output_tokens": 20 } }),
        json!({ "type": "message_stop" }),
    ])
}

/// Where the program said it works.
fn working_directory(asked: &Value) -> String {
    let all = asked.to_string();
    let marks = ["Primary working directory: ", "Working directory: ", "working directory: "];
    let found = marks.iter().find_map(|mark| all.split_once(mark)).map(|(_, rest)| rest);
    let end = |rest: &str| rest.find(['\\', '"', ' ']).unwrap_or(rest.len());
    found.map(|rest| rest[..end(rest)].to_owned()).expect("the request names the working directory")
}

fn codex_turn(asked: &Value) -> Response {
    let done = asked["input"].to_string().contains("_call_output");
    let item = if done {
        json!({ "type": "message", "role": "assistant", "id": "msg_1", "content": [{ "type": "output_text", "text": WORDS }] })
    } else {
        call(asked)
    };
    let usage = json!({ "input_tokens": 100, "input_tokens_details": { "cached_tokens": 40 }, "output_tokens": 20,
        "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 120 });
    events(&[
        json!({ "type": "response.created", "response": { "id": "resp_1" } }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        json!({ "type": "response.completed", "response": { "id": "resp_1", "usage": usage } }),
    ])
}

/// A call of whichever tool runs commands in this version.
fn call(asked: &Value) -> Value {
    let tools = asked["tools"].as_array().cloned().unwrap_or_default();
    let named = |name: &str| tools.iter().any(|tool| tool["name"] == name || tool["type"] == name);
    let (name, arguments) = if named("exec_command") {
        ("exec_command", json!({ "cmd": COMMAND }))
    } else if named("shell_command") {
        ("shell_command", json!({ "command": COMMAND }))
    } else {
        ("shell", json!({ "command": ["sh", "-c", COMMAND] }))
    };
    json!({ "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name, "arguments": arguments.to_string() })
}
