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

/// The same, summed over executions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageSum {
    /// How many executions told anything.
    pub executions: u64,
    /// What they used together.
    pub usage: Usage,
}
