//! The stream of `claude -p --output-format stream-json --verbose`.

use crate::stream::event_collector::EventCollector;
use crate::stream::stream_parser::{count_at, string_at, text_of, unknown_event};
use crate::stream::transcript_event::{ReportedUsage, TranscriptEvent, TranscriptEventBody};
use forge_domain::Timestamp;
use serde_json::Value;

/// State kept between lines of the stream.
#[derive(Debug, Default)]
pub(crate) struct ClaudeStream {
    session: Option<String>,
    /// One message comes in several lines, each with the usage of the whole.
    counted: Option<String>,
    /// The reported input tokens include cached tokens.
    input_includes_cached: bool,
}

impl ClaudeStream {
    pub(crate) fn new(input_includes_cached: bool) -> Self {
        Self { input_includes_cached, ..Self::default() }
    }

    pub(crate) fn read_value(
        &mut self,
        value: Value,
        collector: &mut EventCollector,
        sink: &mut dyn FnMut(TranscriptEvent),
    ) {
        let id = string_at(&value, "/session_id").filter(|id| self.session.as_ref() != Some(id));
        if let Some(id) = id {
            self.session = Some(id.clone());
            collector.emit(TranscriptEventBody::Session { id }, sink);
        }
        match value.get("type").and_then(Value::as_str) {
            Some("assistant") => self.assistant(value, collector, sink),
            Some("user") => user(value, collector, sink),
            Some("result") => self.result(&value, collector, sink),
            Some("tool_call") => cursor_tool(value, collector, sink),
            Some("system") => system(value, collector, sink),
            Some("rate_limit_event") => {
                if string_at(&value, "/rate_limit_info/status")
                    .is_some_and(|status| status == "rejected")
                {
                    let seconds =
                        value.pointer("/rate_limit_info/resetsAt").and_then(Value::as_i64);
                    let at = seconds.and_then(|seconds| seconds.checked_mul(1000));
                    collector.set_quota_limit(at.map(Timestamp::from_millis));
                }
                collector.emit(unknown_event(value), sink);
            }
            _ => collector.emit(unknown_event(value), sink),
        }
    }

    fn assistant(
        &mut self,
        value: Value,
        collector: &mut EventCollector,
        sink: &mut dyn FnMut(TranscriptEvent),
    ) {
        let Some(parts) = value.pointer("/message/content").and_then(Value::as_array) else {
            return collector.emit(unknown_event(value), sink);
        };
        // Text of a subagent is not the answer of the execution.
        let nested = value.get("parent_tool_use_id").is_some_and(|parent| !parent.is_null());
        for part in parts {
            let body = match part.get("type").and_then(Value::as_str) {
                Some("text") if nested => unknown_event(value.clone()),
                Some("text") => {
                    let text = string_at(part, "/text").unwrap_or_default();
                    TranscriptEventBody::Assistant { text, partial: false }
                }
                Some("thinking") => TranscriptEventBody::Thinking {
                    text: string_at(part, "/thinking").unwrap_or_default(),
                },
                Some("tool_use") => TranscriptEventBody::ToolCall {
                    id: string_at(part, "/id"),
                    name: string_at(part, "/name").unwrap_or_default(),
                    input: part.get("input").cloned().unwrap_or_default(),
                },
                _ => unknown_event(part.clone()),
            };
            collector.emit(body, sink);
        }
        let message = string_at(&value, "/message/id");
        let tokens = value.pointer("/message/usage").filter(|_| message != self.counted);
        if let Some(tokens) = tokens {
            let usage = self.usage(tokens);
            collector.emit(TranscriptEventBody::Usage { usage, adds: true }, sink);
            self.counted = message;
        }
    }

    fn result(
        &self,
        value: &Value,
        collector: &mut EventCollector,
        sink: &mut dyn FnMut(TranscriptEvent),
    ) {
        let denials = value.get("permission_denials").and_then(Value::as_array);
        for denial in denials.into_iter().flatten() {
            let text = |pointer: &str| denial.pointer(pointer).and_then(Value::as_str);
            let input = denial.get("tool_input").unwrap_or(&Value::Null);
            collector.record_refusal(text("/tool_use_id"), text("/tool_name"), input, "", sink);
        }
        if let Some(tokens) = value.get("usage") {
            let mut usage = self.usage(tokens);
            usage.cost_usd = value.get("total_cost_usd").and_then(Value::as_f64);
            collector.emit(TranscriptEventBody::Usage { usage, adds: false }, sink);
        }
        let spoken = string_at(value, "/result");
        if value.get("is_error").and_then(Value::as_bool).unwrap_or(false) {
            let listed = value.get("errors").and_then(Value::as_array).into_iter().flatten();
            let mut reasons: Vec<String> = listed.map(text_of).collect();
            reasons.extend(string_at(value, "/error/message"));
            reasons.extend(spoken);
            if reasons.is_empty() {
                reasons.push(string_at(value, "/subtype").unwrap_or_default());
            }
            for reason in reasons {
                collector.emit(TranscriptEventBody::error(reason), sink);
            }
            return collector.set_failed();
        }
        if let Some(answer) = spoken {
            collector.set_answer(&answer);
        }
        let status = string_at(value, "/subtype").unwrap_or_else(|| "result".to_owned());
        collector.emit(TranscriptEventBody::Status { status, raw: Value::Null }, sink);
    }

    fn usage(&self, tokens: &Value) -> ReportedUsage {
        let cached = count_at(tokens, "/cache_read_input_tokens");
        let written = count_at(tokens, "/cache_creation_input_tokens");
        let beside = if self.input_includes_cached { 0 } else { cached.saturating_add(written) };
        ReportedUsage {
            input_tokens: count_at(tokens, "/input_tokens").saturating_add(beside),
            cached_tokens: cached,
            output_tokens: count_at(tokens, "/output_tokens"),
            cost_usd: None,
        }
    }
}

/// System messages: refused tools, and why the program repeats a model request.
fn system(value: Value, collector: &mut EventCollector, sink: &mut dyn FnMut(TranscriptEvent)) {
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str);
    match text("/subtype") {
        Some("permission_denied") => {
            let (id, name) = (text("/tool_use_id"), text("/tool_name"));
            let reason = text("/message").or(text("/decision_reason")).unwrap_or_default();
            collector.record_refusal(id, name, &Value::Null, reason, sink);
        }
        // The retry may succeed: the error counts only if the execution fails.
        Some("api_retry") => {
            let error = text("/error").unwrap_or_default();
            let status = value.get("error_status").map(text_of).unwrap_or_default();
            let reason = format!("api error: {status} {error}");
            collector.emit(TranscriptEventBody::error(reason.trim_end()), sink);
        }
        _ => collector.emit(unknown_event(value), sink),
    }
}

/// A tool call in Cursor's format: `{"readToolCall": {"args": …, "result": …}}`.
fn cursor_tool(
    value: Value,
    collector: &mut EventCollector,
    sink: &mut dyn FnMut(TranscriptEvent),
) {
    let call = value.get("tool_call").and_then(Value::as_object);
    // Besides the call itself there can be more fields, such as its description.
    let called = call.and_then(|call| call.iter().find(|(_, called)| called.is_object()));
    let Some((key, called)) = called else { return collector.emit(unknown_event(value), sink) };
    let id = string_at(&value, "/call_id");
    let name = key.strip_suffix("ToolCall").unwrap_or(key).to_owned();
    let result = called.get("result");
    match value.get("subtype").and_then(Value::as_str) {
        Some("started") => {
            let input = called.get("args").cloned().unwrap_or_default();
            collector.emit(TranscriptEventBody::ToolCall { id, name, input }, sink);
        }
        Some("completed") => {
            let rejected = result.and_then(|result| result.get("rejected"));
            if let Some(rejected) = rejected {
                let reason = string_at(rejected, "/reason").unwrap_or_default();
                let input = called.get("args").unwrap_or(&Value::Null);
                collector.record_refusal(id.as_deref(), Some(&name), input, &reason, sink);
            }
            let failed = result.is_none_or(|result| result.get("success").is_none());
            let output = text_of(result.unwrap_or(&Value::Null));
            collector.emit(TranscriptEventBody::ToolResult { id, output, failed }, sink);
        }
        _ => collector.emit(unknown_event(value), sink),
    }
}

fn user(value: Value, collector: &mut EventCollector, sink: &mut dyn FnMut(TranscriptEvent)) {
    let Some(parts) = value.pointer("/message/content").and_then(Value::as_array) else {
        return collector.emit(unknown_event(value), sink);
    };
    for part in parts {
        let body = if part.get("type").and_then(Value::as_str) == Some("tool_result") {
            TranscriptEventBody::ToolResult {
                id: string_at(part, "/tool_use_id"),
                output: joined_text(part.get("content").unwrap_or(&Value::Null)),
                failed: part.get("is_error").and_then(Value::as_bool).unwrap_or(false),
            }
        } else {
            unknown_event(part.clone())
        };
        collector.emit(body, sink);
    }
}

/// The text of a tool result, which is a string or a list of parts.
fn joined_text(content: &Value) -> String {
    let Some(parts) = content.as_array() else { return text_of(content) };
    let texts = parts.iter().map(|part| string_at(part, "/text").unwrap_or_else(|| text_of(part)));
    texts.collect::<Vec<_>>().join("\n")
}
