//! The log events of an execution (E-5).

use forge_domain::RefusedTool;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

const ERROR: &str = "error";
const STEERED: &str = "steered";
const REFUSED: &str = "permission_denied";
/// How much of a refused tool's input is kept.
const LONGEST_INPUT: usize = 300;

/// One log event; events are in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TranscriptEvent {
    /// Counts from 1, without gaps.
    pub seq: u64,
    #[serde(flatten)]
    pub body: TranscriptEventBody,
}

/// Kind and data of a log event.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TranscriptEventBody {
    /// Text from the agent.
    Assistant {
        text: String,
        /// Whether it continues the text before.
        #[serde(default, skip_serializing_if = "is_false")]
        partial: bool,
    },
    /// The agent's reasoning text.
    Thinking { text: String },
    /// The agent calls a tool.
    ToolCall {
        /// Id that the result refers to.
        #[serde(default)]
        id: Option<String>,
        name: String,
        #[serde(default)]
        input: Value,
    },
    /// A tool call has finished.
    ToolResult {
        /// Id of the call.
        #[serde(default)]
        id: Option<String>,
        /// Output of the tool as text.
        output: String,
        #[serde(default, skip_serializing_if = "is_false")]
        failed: bool,
    },
    /// A line of standard output that is not part of the stream.
    Stdout {
        /// The line, without its end.
        text: String,
        /// How many bytes of it are omitted.
        #[serde(default, skip_serializing_if = "is_zero")]
        omitted: u64,
    },
    /// A line of standard error.
    Stderr {
        /// The line, without its end.
        text: String,
        /// How many bytes of it are omitted.
        #[serde(default, skip_serializing_if = "is_zero")]
        omitted: u64,
    },
    /// Tokens and cost (E-8).
    Usage {
        #[serde(flatten)]
        usage: ReportedUsage,
        /// Whether the numbers add to earlier ones; otherwise they replace them.
        #[serde(default, skip_serializing_if = "is_false")]
        adds: bool,
    },
    /// The session that can be continued (E-7).
    Session {
        /// The program's own id for it.
        id: String,
    },
    /// Any other report of the program.
    Status {
        /// The status name from the program; `error` for reported errors.
        status: String,
        /// The original data.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        raw: Value,
    },
}

/// Token counts and cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ReportedUsage {
    /// Input tokens, including cached ones.
    #[serde(default)]
    pub input_tokens: u64,
    /// Input tokens read from a cache.
    #[serde(default)]
    pub cached_tokens: u64,
    #[serde(default)]
    pub output_tokens: u64,
    /// Cost in US dollars, if the program reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl TranscriptEventBody {
    /// An error that the program reported.
    pub(crate) fn error(text: impl Into<String>) -> Self {
        Self::Status { status: ERROR.to_owned(), raw: Value::String(text.into()) }
    }

    /// The program accepted a message (T-22).
    pub(crate) fn steered(id: Uuid) -> Self {
        Self::Status { status: STEERED.to_owned(), raw: serde_json::json!({ "id": id }) }
    }

    /// The id of the message that the program accepted.
    pub(crate) fn steered_id(&self) -> Option<Uuid> {
        match self {
            Self::Status { status, raw } if status == STEERED => {
                raw.get("id")?.as_str()?.parse().ok()
            }
            _ => None,
        }
    }

    /// The policy refused a tool call of the agent.
    pub(crate) fn refused(id: Option<&str>, name: &str, input: &Value, reason: &str) -> Self {
        let input = match input {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let input: String = input.chars().take(LONGEST_INPUT).collect();
        let raw = serde_json::json!({ "id": id, "tool": name, "input": input, "reason": reason });
        Self::Status { status: REFUSED.to_owned(), raw }
    }

    pub(crate) fn refused_tool(&self) -> Option<RefusedTool> {
        match self {
            Self::Status { status, raw } if status == REFUSED => {
                serde_json::from_value(raw.clone()).ok()
            }
            _ => None,
        }
    }

    /// The text of a reported error.
    pub(crate) fn error_text(&self) -> Option<&str> {
        match self {
            Self::Status { status, raw: Value::String(text) } if status == ERROR => Some(text),
            _ => None,
        }
    }
}

impl ReportedUsage {
    /// The difference to an earlier count. A count below the earlier one has restarted from zero.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        let goes_on = self.input_tokens >= earlier.input_tokens
            && self.output_tokens >= earlier.output_tokens;
        let before = if goes_on { earlier } else { Self::default() };
        Self {
            input_tokens: self.input_tokens.saturating_sub(before.input_tokens),
            cached_tokens: self.cached_tokens.saturating_sub(before.cached_tokens),
            output_tokens: self.output_tokens.saturating_sub(before.output_tokens),
            ..self.cost_since(earlier)
        }
    }

    /// The same for the cost alone.
    #[must_use]
    pub fn cost_since(self, earlier: Self) -> Self {
        let cost_usd = match (self.cost_usd, earlier.cost_usd) {
            (Some(now), Some(then)) if now >= then => Some(now - then),
            (now, _) => now,
        };
        Self { cost_usd, ..self }
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let cost_usd = match (self.cost_usd, other.cost_usd) {
            (Some(one), Some(two)) => Some(one + two),
            (one, two) => one.or(two),
        };
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cost_usd,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's signature")]
fn is_zero(value: &u64) -> bool {
    *value == 0
}
