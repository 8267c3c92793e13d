//! Reports of agent programs about their own executions.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The agent program's report about an execution, besides the end of its process. Absent fields were not reported.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AgentReport {
    /// Id by which the conversation can be continued (E-7).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// Tokens and cost used (E-8).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// The failure, if the program reported one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<AgentFailure>,
    /// Ids of the steer messages that it read (T-22).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steered: Vec<Uuid>,
    /// Tools that its policy refused, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedTool>,
}

/// A tool call that the policy refused.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RefusedTool {
    pub tool: String,
    /// Beginning of the tool's input.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub input: String,
    /// Reason in the program's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
}

/// Tokens and cost of executions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Tokens read, including cached ones.
    pub input_tokens: u64,
    /// Tokens read from a cache.
    pub cached_tokens: u64,
    pub output_tokens: u64,
    /// Cost in millionths of a US dollar, if the program reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micro_usd: Option<u64>,
}

impl TokenUsage {
    /// Tokens read and written.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// Sum of both usages.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let cost = match (self.cost_micro_usd, other.cost_micro_usd) {
            (Some(one), Some(two)) => Some(one.saturating_add(two)),
            (one, two) => one.or(two),
        };
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cost_micro_usd: cost,
        }
    }
}

/// A failure of an execution, in the program's own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentFailure {
    pub class: FailureClass,
    /// Message of the program.
    pub message: String,
    /// Time at which its quota is available again, if reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// Wait for an agent whose program reports no time.
pub(crate) const QUOTA_WAIT_SECONDS: u64 = 15 * 60;
/// Longest wait, whatever time the program reports.
const LONGEST_QUOTA_WAIT_SECONDS: u64 = 8 * 86_400;

/// Classes of failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// Its quota is used up for now (E-9).
    Quota,
    /// It is not signed in, or its login has expired (E-9).
    Auth,
    /// It crashed, or ended with an error and no message.
    Crash,
    /// It reported an error.
    Error,
}

impl AgentFailure {
    /// Time of the next attempt.
    pub fn retry_at(&self, now: Timestamp) -> Timestamp {
        let latest = now.plus_seconds(LONGEST_QUOTA_WAIT_SECONDS);
        self.until.unwrap_or(now.plus_seconds(QUOTA_WAIT_SECONDS)).max(now).min(latest)
    }
}

impl AgentReport {
    /// The failure, if it is an exhausted quota.
    pub(crate) fn quota_failure(&self) -> Option<&AgentFailure> {
        self.failure.as_ref().filter(|failure| failure.class == FailureClass::Quota)
    }

    /// The failure, if the agent is not signed in.
    pub(crate) fn login_failure(&self) -> Option<&AgentFailure> {
        self.failure.as_ref().filter(|failure| failure.class == FailureClass::Auth)
    }

    /// The failure, if the agent cannot work for now through no fault of the task: no quota, or no login (E-9).
    pub fn unavailability(&self) -> Option<&AgentFailure> {
        self.quota_failure().or_else(|| self.login_failure())
    }
}
