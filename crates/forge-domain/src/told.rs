//! What an agent's program told about its own turn.

use crate::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What is known of a turn besides how its process ended; nothing where the program does not say.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Told {
    /// By which the conversation can be continued (E-7).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// What was used (E-8).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<RunFailure>,
    /// The messages that it took while it worked (T-22).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steered: Vec<Uuid>,
}

/// Tokens and money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TokenUsage {
    /// Tokens read, those from a cache included.
    pub input_tokens: u64,
    /// Of these, from a cache.
    pub cached_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Millionths of a US dollar, where the program says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micro_usd: Option<u64>,
}

impl TokenUsage {
    /// All tokens, read or written.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// Both together.
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

/// A turn that failed, in the program's own words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFailure {
    /// What kind.
    pub class: FailureClass,
    /// What the program said.
    pub message: String,
    /// When its allowance is back, if it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

/// How long an agent waits whose program does not say until when.
pub(crate) const QUOTA_WAIT_SECONDS: u64 = 15 * 60;
/// Whatever a program says, nobody waits longer before it is asked again.
const LONGEST_QUOTA_WAIT_SECONDS: u64 = 8 * 86_400;

/// The kinds of failure that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// Its allowance is used up for now (E-9).
    Quota,
    /// It is not logged in, or may not do this.
    Auth,
    /// It died, or ended badly without a word about why.
    Crash,
    /// It said that it failed.
    Error,
}

impl RunFailure {
    /// When to try again.
    pub fn back_at(&self, now: Timestamp) -> Timestamp {
        let latest = now.plus_seconds(LONGEST_QUOTA_WAIT_SECONDS);
        self.until.unwrap_or(now.plus_seconds(QUOTA_WAIT_SECONDS)).max(now).min(latest)
    }
}

impl Told {
    /// The failure, if it is that of an allowance which is used up.
    pub fn quota(&self) -> Option<&RunFailure> {
        self.failure.as_ref().filter(|failure| failure.class == FailureClass::Quota)
    }
}
