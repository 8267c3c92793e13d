//! How much may be used, and what it means that it is (E-8).

use crate::TokenUsage;
use serde::{Deserialize, Serialize};

/// What the agents may use together, on a task or in a project. What is not named has no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Millionths of a US dollar.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_micro_usd: Option<u64>,
    /// Tokens read and written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
}

/// A limit that is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "unit", rename_all = "snake_case")]
pub enum Spent {
    /// That of the money.
    #[error("{} of {}", dollars(*used), dollars(*limit))]
    MicroUsd {
        /// Used so far.
        used: u64,
        /// Allowed.
        limit: u64,
    },
    /// That of the tokens.
    #[error("{used} of {limit} tokens")]
    Tokens {
        /// Used so far.
        used: u64,
        /// Allowed.
        limit: u64,
    },
}

/// Whose budget it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetOwner {
    /// One task's.
    Task,
    /// That of all tasks of a project together.
    Project,
}

/// A budget that is used up: no agent begins before it is raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("the budget of the {} is used up ({spent}); raise it, and it goes on by itself", owner.word())]
pub struct Overspent {
    /// Whose.
    pub owner: BudgetOwner,
    /// How far.
    #[serde(flatten)]
    pub spent: Spent,
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
    /// Whether there is no limit at all.
    pub fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }

    /// What is wrong with it, if anything.
    pub fn problem(&self) -> Option<&'static str> {
        let none = self.cost_micro_usd == Some(0) || self.tokens == Some(0);
        none.then_some("a limit is at least 1; leave it out for none, or pause the project to keep agents away")
    }

    /// The limit that is reached, if one is.
    pub fn spent(&self, used: TokenUsage) -> Option<Spent> {
        let cost = used.cost_micro_usd.unwrap_or(0);
        let money = self.cost_micro_usd.filter(|limit| cost >= *limit);
        let tokens = self.tokens.filter(|limit| used.tokens() >= *limit);
        let money = money.map(|limit| Spent::MicroUsd { used: cost, limit });
        money.or(tokens.map(|limit| Spent::Tokens { used: used.tokens(), limit }))
    }
}

/// Money as people write it; parts of a cent only where there are some.
fn dollars(micro: u64) -> String {
    let (whole, part) = (micro / 1_000_000, micro % 1_000_000);
    if part.is_multiple_of(10_000) {
        format!("${whole}.{:02}", part / 10_000)
    } else {
        format!("${whole}.{:04}", part / 100)
    }
}
