//! Token usage, cost and budgets (SPEC E-8).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Tokens and cost, as reported by an agent's program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageAmount {
    /// Input tokens, cached ones included.
    pub input_tokens: u64,
    /// Input tokens that came from a cache.
    pub cached_tokens: u64,
    /// Number of output tokens.
    pub output_tokens: u64,
    /// Cost in millionths of a US dollar; `null` if no program reported a cost.
    #[schema(required)]
    pub cost_micro_usd: Option<u64>,
}

/// Limits for agents; a field that is left out has no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BudgetLimits {
    /// Cost in millionths of a US dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub cost_micro_usd: Option<u64>,
    /// Input and output tokens together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1)]
    pub tokens: Option<u64>,
}

/// Usage summed over executions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UsageSum {
    /// Number of executions of agents, whether or not they reported usage.
    #[serde(default)]
    #[schema(required)]
    pub runs: u64,
    /// Number of executions that reported usage.
    pub executions: u64,
    /// Total usage of these executions.
    pub usage: UsageAmount,
    /// The limit; once it is reached no further execution starts. `null` for no limit.
    #[serde(default)]
    #[schema(required)]
    pub budget: Option<BudgetLimits>,
    /// Whether the budget is used up; no agent starts until it is raised.
    #[serde(default)]
    #[schema(required)]
    pub exhausted: bool,
}
