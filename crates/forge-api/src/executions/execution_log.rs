//! The log of an execution as numbered events (SPEC E-5).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// Kind of a log event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogEventKind {
    /// The agent wrote a message: `text`.
    Assistant,
    /// The agent's reasoning: `text`.
    Thinking,
    /// The agent called a tool: `name`, `input`.
    ToolCall,
    /// A tool returned: `output`, `failed`.
    ToolResult,
    /// A line that is not part of the program's event stream: `text`.
    Stdout,
    /// A line of standard error: `text`.
    Stderr,
    /// Token counts and cost.
    Usage,
    /// The conversation that can be continued: `id`.
    Session,
    /// Any other report of the program: `status`, `raw`.
    Status,
}

/// One event of a log. Its fields depend on its kind; fields that do not apply are left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LogEvent {
    /// Sequence number from 1, without gaps.
    pub seq: u64,
    /// Kind of the event.
    pub kind: LogEventKind,
    /// The message or the printed text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether the text continues the previous event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<bool>,
    /// Number of bytes of the line that are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omitted: Option<u64>,
    /// Identifier of the tool call or of the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Name of the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Input of the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub input: Option<Value>,
    /// Output of the tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Whether the tool failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<bool>,
    /// Number of input tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Input tokens that came from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Number of output tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Cost in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Whether the numbers add to the previous ones; otherwise they replace them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adds: Option<bool>,
    /// The report, in the program's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The unchanged message of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub raw: Option<Value>,
}

/// Query of log events.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogEventQuery {
    /// Return the events after this number; 0 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// Maximum number of events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Return only this many of the last events instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<u32>,
}

/// Query of a log stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogStreamQuery {
    /// Start after this event number; 0 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

/// Some events of a log, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LogEventPage {
    /// The events of this page.
    pub events: Vec<LogEvent>,
    /// The value of `after` for the next request.
    pub next: u64,
    /// Whether this is the end: nothing follows now or later.
    pub end: bool,
}

/// Request to continue the conversation of an execution that has ended (SPEC E-7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewFollowUp {
    /// Message for the agent.
    #[schema(min_length = 1, max_length = 262_144)]
    pub message: String,
}
