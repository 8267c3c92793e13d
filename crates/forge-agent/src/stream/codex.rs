//! The stream of `codex exec --json`.

use super::collector::Collector;
use super::event::{Body, Event, Usage};
use super::parser::{count_at, string_at, text_of, unknown};
use serde_json::Value;

pub(super) fn read(value: Value, collector: &mut Collector, sink: &mut dyn FnMut(Event)) {
    match value.get("type").and_then(Value::as_str) {
        Some("thread.started") => match string_at(&value, "/thread_id") {
            Some(id) => collector.emit(Body::Session { id }, sink),
            None => collector.emit(unknown(value), sink),
        },
        Some("item.started") => item(value, Phase::Started, collector, sink),
        Some("item.completed") => item(value, Phase::Completed, collector, sink),
        Some("turn.completed") => {
            let usage = Usage {
                input_tokens: count_at(&value, "/usage/input_tokens"),
                cached_tokens: count_at(&value, "/usage/cached_input_tokens"),
                output_tokens: count_at(&value, "/usage/output_tokens"),
                cost_usd: None,
            };
            collector.emit(Body::Usage { usage, adds: false }, sink);
        }
        Some("turn.failed") => {
            let reason = string_at(&value, "/error/message").unwrap_or_default();
            collector.emit(Body::error(reason), sink);
            collector.fail();
        }
        // It may recover from these: only `turn.failed` or the exit code says that it did not.
        Some("error") => {
            let reason = string_at(&value, "/message").unwrap_or_else(|| value.to_string());
            collector.emit(Body::error(reason), sink);
        }
        _ => collector.emit(unknown(value), sink),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Started,
    Completed,
}

fn item(value: Value, phase: Phase, collector: &mut Collector, sink: &mut dyn FnMut(Event)) {
    let Some(item) = value.get("item") else { return collector.emit(unknown(value), sink) };
    let id = string_at(item, "/id");
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
    let text = || string_at(item, "/text").unwrap_or_default();
    let body = match (kind, phase) {
        ("agent_message", Phase::Completed) => Body::Assistant { text: text(), partial: false },
        ("reasoning", Phase::Completed) => Body::Thinking { text: text() },
        ("error", Phase::Completed) => Body::error(string_at(item, "/message").unwrap_or_default()),
        ("command_execution", Phase::Started) => Body::ToolCall {
            id,
            name: "shell".to_owned(),
            input: item.get("command").cloned().unwrap_or_default(),
        },
        ("command_execution", Phase::Completed) => Body::ToolResult {
            id,
            output: string_at(item, "/aggregated_output").unwrap_or_default(),
            failed: item.get("exit_code").and_then(Value::as_i64) != Some(0),
        },
        ("mcp_tool_call", Phase::Started) => {
            let server = string_at(item, "/server").unwrap_or_default();
            let tool = string_at(item, "/tool").unwrap_or_default();
            let input = item.get("arguments").cloned().unwrap_or_default();
            Body::ToolCall { id, name: format!("{server}.{tool}"), input }
        }
        ("mcp_tool_call", Phase::Completed) => Body::ToolResult {
            id,
            output: text_of(item.get("result").unwrap_or(&Value::Null)),
            failed: item.get("error").is_some_and(|error| !error.is_null()),
        },
        ("file_change", Phase::Started) => {
            let input = item.get("changes").cloned().unwrap_or_default();
            Body::ToolCall { id, name: kind.to_owned(), input }
        }
        ("file_change", Phase::Completed) => Body::ToolResult {
            id,
            output: text_of(item.get("changes").unwrap_or(&Value::Null)),
            failed: string_at(item, "/status").is_some_and(|status| status == "failed"),
        },
        _ => Body::Status { status: kind.to_owned(), raw: value },
    };
    collector.emit(body, sink);
}
