//! Fakes the model APIs of the programs: the first request gets a tool call, the request with its result gets text.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

/// How the API answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ApiScenario {
    /// Writes a file with the file tool; `codex` has none and runs a command.
    Work,
    /// Runs a command that writes a file.
    Command,
    Quota,
    Auth,
}

#[derive(Debug, Clone)]
pub(crate) struct FakeModelApi {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<String>>>,
}

const WORDS: &str = "answer.txt is written.\n{\"verdict\": \"pass\"}";
const COMMAND: &str = "echo forty-two > answer.txt";
/// A sandbox that allows changes in the worktree refuses this.
const OUTSIDE: &str = "echo forty-two > ../outside.txt";
/// No program classifies this as an edit of a file.
const SCRIPT: &str = "python3 -c \"open('answer.txt', 'w').write('forty-two')\"";

impl FakeModelApi {
    pub(crate) async fn start(play: ApiScenario) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("is bound");
        let heard = Arc::new(Mutex::new(Vec::new()));
        let router = Router::new().fallback(answer).with_state((play, Arc::clone(&heard)));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, requests: heard }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The last request for text.
    pub(crate) fn last_request(&self) -> String {
        self.requests.lock().expect("not poisoned").last().cloned().unwrap_or_default()
    }
}

type RecordedRequests = Arc<Mutex<Vec<String>>>;

/// The API that a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ModelApi {
    Claude,
    Responses,
    Chat,
    Gemini,
}

impl ModelApi {
    fn of(path: &str) -> Option<Self> {
        match path {
            "/v1/messages" => Some(Self::Claude),
            "/v1/responses" => Some(Self::Responses),
            "/v1/chat/completions" => Some(Self::Chat),
            path if path.ends_with("GenerateContent") || path.ends_with("generateContent") => {
                Some(Self::Gemini)
            }
            _ => None,
        }
    }
}

async fn answer(
    State((play, heard)): State<(ApiScenario, RecordedRequests)>,
    uri: Uri,
    body: Bytes,
) -> Response {
    let Some(api) = ModelApi::of(uri.path()) else { return StatusCode::NOT_FOUND.into_response() };
    let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
    heard.lock().expect("not poisoned").push(asked.to_string());
    match (play, api) {
        (ApiScenario::Work | ApiScenario::Command, ModelApi::Claude) => claude_turn(&asked, play),
        (ApiScenario::Work | ApiScenario::Command, ModelApi::Responses) => codex_turn(&asked, play),
        (ApiScenario::Work | ApiScenario::Command, ModelApi::Chat) => chat_turn(&asked, play),
        (ApiScenario::Work | ApiScenario::Command, ModelApi::Gemini) => {
            gemini_turn(&asked, play, uri.path())
        }
        (ApiScenario::Quota, ModelApi::Claude) => refusal(
            429,
            &json!({
                "type": "error",
                "error": { "type": "rate_limit_error", "message": "This request would exceed your account's rate limit." },
            }),
        ),
        (ApiScenario::Quota, _) => refusal(
            429,
            &json!({
                "error": { "type": "usage_limit_reached", "message": "The usage limit has been reached", "plan_type": "plus", "resets_in_seconds": 3600 },
            }),
        ),
        (ApiScenario::Auth, ModelApi::Claude) => refusal(
            401,
            &json!({
                "type": "error",
                "error": { "type": "authentication_error", "message": "invalid x-api-key" },
            }),
        ),
        (ApiScenario::Auth, ModelApi::Gemini) => refusal(
            400,
            &json!({
                "error": { "code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid. Please pass a valid API key." },
            }),
        ),
        (ApiScenario::Auth, _) => refusal(
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

fn claude_turn(asked: &Value, play: ApiScenario) -> Response {
    let last = asked["messages"].as_array().and_then(|all| all.last()).cloned().unwrap_or_default();
    let has_write =
        asked["tools"].as_array().is_some_and(|all| all.iter().any(|tool| tool["name"] == "Write"));
    let done = last.to_string().contains("tool_result")
        || asked["messages"].to_string().contains("tool_result");
    let (block, delta, reason) = if done || !has_write {
        let block = json!({ "type": "text", "text": "" });
        (block, json!({ "type": "text_delta", "text": WORDS }), "end_turn")
    } else {
        let (name, input) = match play {
            ApiScenario::Command => ("Bash", json!({ "command": SCRIPT, "description": "write" })),
            _ => ("Write", file(asked, "file_path")),
        };
        let block = json!({ "type": "tool_use", "id": "toolu_01", "name": name, "input": {} });
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

/// The input of a tool that writes a file.
fn file(asked: &Value, path: &str) -> Value {
    let directory = working_directory(asked);
    json!({ path: format!("{directory}/answer.txt"), "content": "forty-two\n" })
}

/// A call of the scenario's tool. A tool that was not offered is called too: the program has to refuse it.
fn tool_call(asked: &Value, play: ApiScenario) -> (&'static str, Value) {
    let offered = asked["tools"].to_string();
    let is_opencode = !offered.contains("\"write_file\"");
    let command = json!({ "command": SCRIPT, "description": "write", "is_background": false });
    match (play, is_opencode) {
        (ApiScenario::Command, true) => {
            ("bash", json!({ "command": SCRIPT, "description": "write" }))
        }
        (ApiScenario::Command, false) => ("run_shell_command", command),
        (_, true) => ("write", file(asked, "filePath")),
        (_, false) => ("write_file", file(asked, "file_path")),
    }
}

/// The chat completions of opencode and qwen.
fn chat_turn(asked: &Value, play: ApiScenario) -> Response {
    let messages = asked["messages"].as_array().cloned().unwrap_or_default();
    let done = messages.iter().any(|message| message["role"] == "tool");
    let has_tools = asked["tools"].as_array().is_some_and(|tools| !tools.is_empty());
    let (message, reason) = if done || !has_tools {
        (json!({ "role": "assistant", "content": WORDS }), "stop")
    } else {
        let (name, input) = tool_call(asked, play);
        let function = json!({ "name": name, "arguments": input.to_string() });
        let call = json!({ "index": 0, "id": "call_1", "type": "function", "function": function });
        (json!({ "role": "assistant", "content": null, "tool_calls": [call] }), "tool_calls")
    };
    let usage = json!({ "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
        "prompt_tokens_details": { "cached_tokens": 40 } });
    let base = |object: &str, choices: Value, usage: Option<&Value>| json!({ "id": "chat_1", "object": object, "created": 1, "model": asked["model"], "choices": choices, "usage": usage });
    if asked["stream"] != true {
        let choices = json!([{ "index": 0, "message": message, "finish_reason": reason }]);
        return axum::Json(base("chat.completion", choices, Some(&usage))).into_response();
    }
    let object = "chat.completion.chunk";
    let said = json!([{ "index": 0, "delta": message, "finish_reason": null }]);
    let end = json!([{ "index": 0, "delta": {}, "finish_reason": reason }]);
    let chunks =
        [base(object, said, None), base(object, end, None), base(object, json!([]), Some(&usage))];
    let mut text: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    text.push_str("data: [DONE]\n\n");
    ([(header::CONTENT_TYPE, "text/event-stream")], text).into_response()
}

fn gemini_turn(asked: &Value, play: ApiScenario, path: &str) -> Response {
    let done = asked["contents"].to_string().contains("functionResponse");
    let has_tools = asked["tools"].to_string().contains("functionDeclarations");
    let part = if done || !has_tools {
        json!({ "text": WORDS })
    } else {
        let (name, args) = tool_call(asked, play);
        json!({ "functionCall": { "id": "call_1", "name": name, "args": args } })
    };
    let content = json!({ "role": "model", "parts": [part] });
    let usage = json!({ "promptTokenCount": 100, "candidatesTokenCount": 20, "totalTokenCount": 120,
        "cachedContentTokenCount": 40 });
    let answer = json!({
        "candidates": [{ "content": content, "finishReason": "STOP", "index": 0 }],
        "usageMetadata": usage,
        "modelVersion": "gemini-2.5-pro",
    });
    if path.contains("stream") {
        let text = format!("data: {answer}\n\n");
        return ([(header::CONTENT_TYPE, "text/event-stream")], text).into_response();
    }
    axum::Json(answer).into_response()
}

/// The working directory that the program reported.
fn working_directory(asked: &Value) -> String {
    let all = asked.to_string();
    let marks = [
        "Primary working directory: ",
        "Working directory: ",
        "working directory: ",
        "working in the directory: ",
        "**Workspace Directories:**\\n  - ",
    ];
    let found = marks.iter().find_map(|mark| all.split_once(mark)).map(|(_, rest)| rest);
    let end = |rest: &str| rest.find(['\\', '"', ' ']).unwrap_or(rest.len());
    found.map(|rest| rest[..end(rest)].to_owned()).expect("the request names the working directory")
}

fn codex_turn(asked: &Value, play: ApiScenario) -> Response {
    let done = asked["input"].to_string().contains("_call_output");
    let item = if done {
        json!({ "type": "message", "role": "assistant", "id": "msg_1", "content": [{ "type": "output_text", "text": WORDS }] })
    } else {
        codex_tool_call(asked, play)
    };
    let usage = json!({ "input_tokens": 100, "input_tokens_details": { "cached_tokens": 40 }, "output_tokens": 20,
        "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 120 });
    events(&[
        json!({ "type": "response.created", "response": { "id": "resp_1" } }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": item }),
        json!({ "type": "response.completed", "response": { "id": "resp_1", "usage": usage } }),
    ])
}

/// A call of the tool that runs commands in this version.
fn codex_tool_call(asked: &Value, play: ApiScenario) -> Value {
    let command = if play == ApiScenario::Command { OUTSIDE } else { COMMAND };
    let tools = asked["tools"].as_array().cloned().unwrap_or_default();
    let named = |name: &str| tools.iter().any(|tool| tool["name"] == name || tool["type"] == name);
    let (name, arguments) = if named("exec_command") {
        ("exec_command", json!({ "cmd": command }))
    } else if named("shell_command") {
        ("shell_command", json!({ "command": command }))
    } else {
        ("shell", json!({ "command": ["sh", "-c", command] }))
    };
    json!({ "type": "function_call", "id": "fc_1", "call_id": "call_1", "name": name, "arguments": arguments.to_string() })
}
