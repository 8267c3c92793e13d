//! The stream of `codex exec --json`.

use crate::stream::event_collector::EventCollector;
use crate::stream::stream_parser::{count_at, string_at, text_of, unknown_event};
use crate::stream::transcript_event::{ReportedUsage, TranscriptEvent, TranscriptEventBody};
use serde_json::Value;

pub(crate) fn read(
    value: Value,
    collector: &mut EventCollector,
    sink: &mut dyn FnMut(TranscriptEvent),
) {
    match value.get("type").and_then(Value::as_str) {
        Some("thread.started") => match string_at(&value, "/thread_id") {
            Some(id) => collector.emit(TranscriptEventBody::Session { id }, sink),
            None => collector.emit(unknown_event(value), sink),
        },
        Some("item.started") => read_item(value, ItemPhase::Started, collector, sink),
        Some("item.completed") => read_item(value, ItemPhase::Completed, collector, sink),
        Some("turn.completed") => {
            let usage = ReportedUsage {
                input_tokens: count_at(&value, "/usage/input_tokens"),
                cached_tokens: count_at(&value, "/usage/cached_input_tokens"),
                output_tokens: count_at(&value, "/usage/output_tokens"),
                cost_usd: None,
            };
            collector.emit(TranscriptEventBody::Usage { usage, adds: false }, sink);
        }
        Some("turn.failed") => {
            let reason = string_at(&value, "/error/message").unwrap_or_default();
            collector.emit(TranscriptEventBody::error(reason), sink);
            collector.set_failed();
        }
        // The program may recover from these: only `turn.failed` or the exit code means failure.
        Some("error") => {
            let reason = string_at(&value, "/message").unwrap_or_else(|| value.to_string());
            collector.emit(TranscriptEventBody::error(reason), sink);
        }
        _ => collector.emit(unknown_event(value), sink),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemPhase {
    Started,
    Completed,
}

fn read_item(
    value: Value,
    phase: ItemPhase,
    collector: &mut EventCollector,
    sink: &mut dyn FnMut(TranscriptEvent),
) {
    let Some(item) = value.get("item") else { return collector.emit(unknown_event(value), sink) };
    let id = string_at(item, "/id");
    if phase == ItemPhase::Completed && string_at(item, "/status").as_deref() == Some("declined") {
        let reason = string_at(item, "/aggregated_output").unwrap_or_default();
        collector.record_refusal(id.as_deref(), None, &Value::Null, &reason, sink);
    }
    let kind = item.get("type").and_then(Value::as_str).unwrap_or_default();
    let text = || string_at(item, "/text").unwrap_or_default();
    let body = match (kind, phase) {
        ("agent_message", ItemPhase::Completed) => {
            TranscriptEventBody::Assistant { text: text(), partial: false }
        }
        ("reasoning", ItemPhase::Completed) => TranscriptEventBody::Thinking { text: text() },
        ("error", ItemPhase::Completed) => {
            TranscriptEventBody::error(string_at(item, "/message").unwrap_or_default())
        }
        ("command_execution", ItemPhase::Started) => TranscriptEventBody::ToolCall {
            id,
            name: "shell".to_owned(),
            input: item.get("command").cloned().unwrap_or_default(),
        },
        ("command_execution", ItemPhase::Completed) => TranscriptEventBody::ToolResult {
            id,
            output: string_at(item, "/aggregated_output").unwrap_or_default(),
            failed: item.get("exit_code").and_then(Value::as_i64) != Some(0),
        },
        ("mcp_tool_call", ItemPhase::Started) => {
            let server = string_at(item, "/server").unwrap_or_default();
            let tool = string_at(item, "/tool").unwrap_or_default();
            let input = item.get("arguments").cloned().unwrap_or_default();
            TranscriptEventBody::ToolCall { id, name: format!("{server}.{tool}"), input }
        }
        ("mcp_tool_call", ItemPhase::Completed) => TranscriptEventBody::ToolResult {
            id,
            output: text_of(item.get("result").unwrap_or(&Value::Null)),
            failed: item.get("error").is_some_and(|error| !error.is_null()),
        },
        ("file_change", ItemPhase::Started) => {
            let input = item.get("changes").cloned().unwrap_or_default();
            TranscriptEventBody::ToolCall { id, name: kind.to_owned(), input }
        }
        ("file_change", ItemPhase::Completed) => TranscriptEventBody::ToolResult {
            id,
            output: text_of(item.get("changes").unwrap_or(&Value::Null)),
            failed: string_at(item, "/status").is_some_and(|status| status == "failed"),
        },
        _ => TranscriptEventBody::Status { status: kind.to_owned(), raw: value },
    };
    collector.emit(body, sink);
}
