//! The log of a run as numbered events (SPEC E-5).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// What an event of a log is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LogEventKind {
    /// The agent said something: `text`.
    Assistant,
    /// The agent thought something: `text`.
    Thinking,
    /// The agent uses a tool: `name`, `input`.
    ToolCall,
    /// A tool is done: `output`, `failed`.
    ToolResult,
    /// A line that is not part of the program's stream: `text`.
    Stdout,
    /// A line of its standard error: `text`.
    Stderr,
    /// What was used: the token counts.
    Usage,
    /// The conversation that can be continued: `id`.
    Session,
    /// Anything else the program reports: `status`, `raw`.
    Status,
}

/// One event of a log. Which fields it has depends on its kind; the others are left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LogEvent {
    /// Counts from 1, without gaps.
    pub seq: u64,
    /// What it is about.
    pub kind: LogEventKind,
    /// What was said or printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The words go on from those before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial: Option<bool>,
    /// How many bytes of the line are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omitted: Option<u64>,
    /// The call of a tool, or the conversation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the tool is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub input: Option<Value>,
    /// What the tool gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The tool failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<bool>,
    /// Tokens read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Of these, from a cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Tokens written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Cost in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// The numbers count on top of those before; else they replace them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adds: Option<bool>,
    /// What is reported, in the program's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// What the program said, as it said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub raw: Option<Value>,
}

/// Which events of a log to read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogEventQuery {
    /// The events after this number; 0 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// How many at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// The last so many instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<u32>,
}

/// Where a stream of a log's events begins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogStreamQuery {
    /// The events after this number; 0 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
}

/// Some events of a log, in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LogEventPage {
    /// The events.
    pub events: Vec<LogEvent>,
    /// `after` of the next request.
    pub next: u64,
    /// Nothing follows and nothing will.
    pub end: bool,
}

/// Another message for an agent that has ended its turn (SPEC E-7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewFollowUp {
    /// What it is told.
    pub message: String,
}
