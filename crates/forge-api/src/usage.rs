//! Tokens and money (SPEC E-8).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What was used, as an agent's program told it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Usage {
    /// Tokens read, those from a cache included.
    pub input_tokens: u64,
    /// Of these, from a cache.
    pub cached_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Millionths of a US dollar; `null` where no program named a cost.
    #[schema(required)]
    pub cost_micro_usd: Option<u64>,
}

/// How much agents may use; what is not named has no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Budget {
    /// Millionths of a US dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub cost_micro_usd: Option<u64>,
    /// Tokens, read and written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub tokens: Option<u64>,
}

/// The same, summed over executions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageSum {
    /// How many executions told anything.
    pub executions: u64,
    /// What they used together.
    pub usage: Usage,
    /// How much may be used before no further run begins; `null` where there is no limit.
    #[serde(default)]
    #[schema(required)]
    pub budget: Option<Budget>,
    /// Whether that is used up: no agent begins before it is raised.
    #[serde(default)]
    #[schema(required)]
    pub exhausted: bool,
}
