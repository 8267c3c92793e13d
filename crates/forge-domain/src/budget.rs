//! Limits on cost and tokens, and the check whether one is reached (E-8).

use crate::TokenUsage;
use serde::{Deserialize, Serialize};

/// Limits for all agents of a task or a project together. An absent limit means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Cost in millionths of a US dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micro_usd: Option<u64>,
    /// Number of tokens read and written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}

/// A limit that has been reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "unit", rename_all = "snake_case")]
pub enum ReachedLimit {
    /// The cost limit was reached.
    #[error("{} of {}", dollars(*used), dollars(*limit))]
    MicroUsd {
        /// Used so far.
        used: u64,
        limit: u64,
    },
    /// The token limit was reached.
    #[error("{used} of {limit} tokens")]
    Tokens {
        /// Used so far.
        used: u64,
        limit: u64,
    },
}

/// The owner of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetOwner {
    /// A single task.
    Task,
    /// All tasks of a project together.
    Project,
}

/// A budget that is used up. No agent starts until a person raises it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("the budget of the {} is used up ({spent}); raise it, and the task continues by itself", owner.word())]
pub struct ExhaustedBudget {
    pub owner: BudgetOwner,
    #[serde(flatten)]
    pub spent: ReachedLimit,
}

impl BudgetOwner {
    fn word(self) -> &'static str {
        match self {
            Self::Task => "task",
            Self::Project => "project",
        }
    }
}

impl Budget {
    /// Whether the budget sets no limit.
    pub fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }

    /// The problem with the limits, if there is one.
    pub fn problem(&self) -> Option<&'static str> {
        let none = self.cost_micro_usd == Some(0) || self.tokens == Some(0);
        none.then_some(
            "a limit is at least 1; omit it for no limit, or pause the project to stop its agents",
        )
    }

    /// The limit that this usage has reached, if any.
    pub fn reached_limit(&self, used: TokenUsage) -> Option<ReachedLimit> {
        let cost = used.cost_micro_usd.unwrap_or(0);
        let money = self.cost_micro_usd.filter(|limit| cost >= *limit);
        let tokens = self.tokens.filter(|limit| used.tokens() >= *limit);
        let money = money.map(|limit| ReachedLimit::MicroUsd { used: cost, limit });
        money.or(tokens.map(|limit| ReachedLimit::Tokens { used: used.tokens(), limit }))
    }
}

/// Formats a cost in dollars; fractions of a cent only where there are any.
fn dollars(micro: u64) -> String {
    let (whole, part) = (micro / 1_000_000, micro % 1_000_000);
    if part.is_multiple_of(10_000) {
        format!("${whole}.{:02}", part / 10_000)
    } else {
        format!("${whole}.{:04}", part / 100)
    }
}
