//! Converts token usage and budgets.

use forge_api::{UsageAmount, UsageSum};
use forge_domain::{Budget, TokenUsage};
use forge_store::tables::usage::UsageTotals;

/// Converts the usage of an execution.
pub(crate) fn usage(usage: TokenUsage) -> UsageAmount {
    UsageAmount {
        input_tokens: usage.input_tokens,
        cached_tokens: usage.cached_tokens,
        output_tokens: usage.output_tokens,
        cost_micro_usd: usage.cost_micro_usd,
    }
}

/// Converts summed usage of a number of executions, with its budget.
pub(crate) fn usage_sum(used: UsageTotals, runs: u64, allowed: Budget) -> UsageSum {
    UsageSum {
        runs,
        executions: used.executions,
        usage: usage(used.usage),
        budget: budget(allowed),
        exhausted: allowed.reached_limit(used.usage).is_some(),
    }
}

/// Converts a budget; `None` if there is no limit.
pub(crate) fn budget(budget: Budget) -> Option<forge_api::BudgetLimits> {
    let Budget { cost_micro_usd, tokens } = budget;
    (!budget.is_unlimited()).then_some(forge_api::BudgetLimits { cost_micro_usd, tokens })
}

/// Converts a budget from the wire type.
pub(crate) fn domain_budget(asked: Option<forge_api::BudgetLimits>) -> Budget {
    let forge_api::BudgetLimits { cost_micro_usd, tokens } = asked.unwrap_or_default();
    Budget { cost_micro_usd, tokens }
}
