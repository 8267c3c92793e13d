//! Tokens and money.

use forge_api::{Usage, UsageSum};
use forge_domain::{Budget, TokenUsage};
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

/// The same, summed, beside what is allowed.
pub(crate) fn sum(used: Used, allowed: Budget) -> UsageSum {
    UsageSum {
        executions: used.executions,
        usage: usage(used.usage),
        budget: budget(allowed),
        exhausted: allowed.spent(used.usage).is_some(),
    }
}

/// What is allowed; none where there is no limit.
pub(crate) fn budget(budget: Budget) -> Option<forge_api::Budget> {
    let Budget { cost_micro_usd, tokens } = budget;
    (!budget.is_unlimited()).then_some(forge_api::Budget { cost_micro_usd, tokens })
}

/// A budget that is asked for.
pub(crate) fn asked_budget(asked: Option<forge_api::Budget>) -> Budget {
    let forge_api::Budget { cost_micro_usd, tokens } = asked.unwrap_or_default();
    Budget { cost_micro_usd, tokens }
}
