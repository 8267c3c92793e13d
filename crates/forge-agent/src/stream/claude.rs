//! The stream of `claude -p --output-format stream-json --verbose`.

use super::collector::Collector;
use super::event::{Body, Event, Usage};
use super::parser::{count_at, string_at, text_of, unknown};
use forge_domain::Timestamp;
use serde_json::Value;

/// What must be remembered between lines.
#[derive(Debug, Default)]
pub(super) struct Memory {
    session: Option<String>,
    /// One message comes in several lines, each with the usage of the whole.
    counted: Option<String>,
}

impl Memory {
    pub(super) fn read(
        &mut self,
        value: Value,
        collector: &mut Collector,
        sink: &mut dyn FnMut(Event),
    ) {
        let id = string_at(&value, "/session_id").filter(|id| self.session.as_ref() != Some(id));
        if let Some(id) = id {
            self.session = Some(id.clone());
            collector.emit(Body::Session { id }, sink);
        }
        match value.get("type").and_then(Value::as_str) {
            Some("assistant") => self.assistant(value, collector, sink),
            Some("user") => user(value, collector, sink),
            Some("result") => result(&value, collector, sink),
            Some("rate_limit_event") => {
                if string_at(&value, "/rate_limit_info/status")
                    .is_some_and(|status| status == "rejected")
                {
                    let seconds =
                        value.pointer("/rate_limit_info/resetsAt").and_then(Value::as_i64);
                    let at = seconds.and_then(|seconds| seconds.checked_mul(1000));
                    collector.limit(at.map(Timestamp::from_millis));
                }
                collector.emit(unknown(value), sink);
            }
            _ => collector.emit(unknown(value), sink),
        }
    }

    fn assistant(&mut self, value: Value, collector: &mut Collector, sink: &mut dyn FnMut(Event)) {
        let Some(parts) = value.pointer("/message/content").and_then(Value::as_array) else {
            return collector.emit(unknown(value), sink);
        };
        // What a subagent says is not the answer of the turn.
        let nested = value.get("parent_tool_use_id").is_some_and(|parent| !parent.is_null());
        for part in parts {
            let body = match part.get("type").and_then(Value::as_str) {
                Some("text") if nested => unknown(value.clone()),
                Some("text") => {
                    let text = string_at(part, "/text").unwrap_or_default();
                    Body::Assistant { text, partial: false }
                }
                Some("thinking") => {
                    Body::Thinking { text: string_at(part, "/thinking").unwrap_or_default() }
                }
                Some("tool_use") => Body::ToolCall {
                    id: string_at(part, "/id"),
                    name: string_at(part, "/name").unwrap_or_default(),
                    input: part.get("input").cloned().unwrap_or_default(),
                },
                _ => unknown(part.clone()),
            };
            collector.emit(body, sink);
        }
        let message = string_at(&value, "/message/id");
        let tokens = value.pointer("/message/usage").filter(|_| message != self.counted);
        if let Some(tokens) = tokens {
            collector.emit(Body::Usage { usage: usage(tokens), adds: true }, sink);
            self.counted = message;
        }
    }
}

fn user(value: Value, collector: &mut Collector, sink: &mut dyn FnMut(Event)) {
    let Some(parts) = value.pointer("/message/content").and_then(Value::as_array) else {
        return collector.emit(unknown(value), sink);
    };
    for part in parts {
        let body = if part.get("type").and_then(Value::as_str) == Some("tool_result") {
            Body::ToolResult {
                id: string_at(part, "/tool_use_id"),
                output: joined(part.get("content").unwrap_or(&Value::Null)),
                failed: part.get("is_error").and_then(Value::as_bool).unwrap_or(false),
            }
        } else {
            unknown(part.clone())
        };
        collector.emit(body, sink);
    }
}

fn result(value: &Value, collector: &mut Collector, sink: &mut dyn FnMut(Event)) {
    if let Some(tokens) = value.get("usage") {
        let mut usage = usage(tokens);
        usage.cost_usd = value.get("total_cost_usd").and_then(Value::as_f64);
        collector.emit(Body::Usage { usage, adds: false }, sink);
    }
    let spoken = string_at(value, "/result");
    if value.get("is_error").and_then(Value::as_bool).unwrap_or(false) {
        let listed = value.get("errors").and_then(Value::as_array).into_iter().flatten();
        let mut reasons: Vec<String> = listed.map(text_of).collect();
        reasons.extend(spoken);
        if reasons.is_empty() {
            reasons.push(string_at(value, "/subtype").unwrap_or_default());
        }
        for reason in reasons {
            collector.emit(Body::error(reason), sink);
        }
        return collector.fail();
    }
    if let Some(answer) = spoken {
        collector.declare(&answer);
    }
    let status = string_at(value, "/subtype").unwrap_or_else(|| "result".to_owned());
    collector.emit(Body::Status { status, raw: Value::Null }, sink);
}

/// The text of a tool's answer, which is a string or a list of parts.
fn joined(content: &Value) -> String {
    let Some(parts) = content.as_array() else { return text_of(content) };
    let texts = parts.iter().map(|part| string_at(part, "/text").unwrap_or_else(|| text_of(part)));
    texts.collect::<Vec<_>>().join("\n")
}

fn usage(tokens: &Value) -> Usage {
    let cached = count_at(tokens, "/cache_read_input_tokens");
    let written = count_at(tokens, "/cache_creation_input_tokens");
    Usage {
        input_tokens: count_at(tokens, "/input_tokens")
            .saturating_add(cached)
            .saturating_add(written),
        cached_tokens: cached,
        output_tokens: count_at(tokens, "/output_tokens"),
        cost_usd: None,
    }
}
