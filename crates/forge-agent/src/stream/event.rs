//! The events of an execution's log (E-5).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use uuid::Uuid;

const ERROR: &str = "error";
const STEERED: &str = "steered";

/// One event, in the order it happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Counts from 1, without gaps.
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub body: Body,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Body {
    /// The agent said something.
    Assistant {
        /// Its words.
        text: String,
        /// They go on from the words before.
        #[serde(default, skip_serializing_if = "is_false")]
        partial: bool,
    },
    /// The agent thought something.
    Thinking {
        /// Its words.
        text: String,
    },
    /// The agent uses a tool.
    ToolCall {
        /// By which the result is found.
        #[serde(default)]
        id: Option<String>,
        /// The tool.
        name: String,
        /// What it is given.
        #[serde(default)]
        input: Value,
    },
    /// A tool is done.
    ToolResult {
        /// The call's.
        #[serde(default)]
        id: Option<String>,
        /// What it gave, as text.
        output: String,
        /// It failed.
        #[serde(default, skip_serializing_if = "is_false")]
        failed: bool,
    },
    /// A line that is not part of the program's stream.
    Stdout {
        /// The line, without its end.
        text: String,
        /// How many bytes of it are left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        omitted: u64,
    },
    /// A line of its standard error.
    Stderr {
        /// The line, without its end.
        text: String,
        /// How many bytes of it are left out.
        #[serde(default, skip_serializing_if = "is_zero")]
        omitted: u64,
    },
    /// What was used (E-8).
    Usage {
        /// The numbers.
        #[serde(flatten)]
        usage: Usage,
        /// They count on top of those before; else they replace them.
        #[serde(default, skip_serializing_if = "is_false")]
        adds: bool,
    },
    /// The session that can be continued (E-7).
    Session {
        /// The program's own name for it.
        id: String,
    },
    /// Anything else the program reports.
    Status {
        /// What about, in the program's words; `error` for what it reports as one.
        status: String,
        /// What it said, as it said it.
        #[serde(default, skip_serializing_if = "Value::is_null")]
        raw: Value,
    },
}

/// Tokens and money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, those from a cache included.
    #[serde(default)]
    pub input_tokens: u64,
    /// Of these, from a cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// Tokens written.
    #[serde(default)]
    pub output_tokens: u64,
    /// Cost in US dollars, where the program says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl Body {
    /// An error that the program reports.
    pub(crate) fn error(text: impl Into<String>) -> Self {
        Self::Status { status: ERROR.to_owned(), raw: Value::String(text.into()) }
    }

    /// The program took a message (T-22).
    pub(crate) fn steered(id: Uuid) -> Self {
        Self::Status { status: STEERED.to_owned(), raw: serde_json::json!({ "id": id }) }
    }

    /// The message that the program took.
    pub(crate) fn steered_id(&self) -> Option<Uuid> {
        match self {
            Self::Status { status, raw } if status == STEERED => {
                raw.get("id")?.as_str()?.parse().ok()
            }
            _ => None,
        }
    }

    /// The words of such an error.
    pub(crate) fn error_text(&self) -> Option<&str> {
        match self {
            Self::Status { status, raw: Value::String(text) } if status == ERROR => Some(text),
            _ => None,
        }
    }
}

impl Usage {
    /// What came on top of an earlier count.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        let cost_usd = match (self.cost_usd, earlier.cost_usd) {
            (Some(now), Some(then)) => Some((now - then).max(0.0)),
            (now, _) => now,
        };
        Self {
            input_tokens: self.input_tokens.saturating_sub(earlier.input_tokens),
            cached_tokens: self.cached_tokens.saturating_sub(earlier.cached_tokens),
            output_tokens: self.output_tokens.saturating_sub(earlier.output_tokens),
            cost_usd,
        }
    }

    /// Both together.
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
