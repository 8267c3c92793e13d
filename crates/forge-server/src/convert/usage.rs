//! Tokens and money.

use forge_api::{Usage, UsageSum};
use forge_domain::TokenUsage;
use forge_store::tables::usage::Used;

/// What was used.
pub(crate) fn usage(usage: TokenUsage) -> Usage {
    Usage {
        input_tokens: usage.input_tokens,
        cached_tokens: usage.cached_tokens,
        output_tokens: usage.output_tokens,
        cost_micro_usd: usage.cost_micro_usd,
    }
}

/// The same, summed.
pub(crate) fn sum(used: Used) -> UsageSum {
    UsageSum { executions: used.executions, usage: usage(used.usage) }
}
