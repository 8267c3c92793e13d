//! The tables. Reads take the [`Db`](crate::Db) and writes the [`Tx`](crate::Tx); a read that a decision needs inside
//! its transaction has a variant that ends in `_in`.

mod account;
mod admin;
mod column;
mod dispatch;
mod effect;
mod execution;
mod gate;
mod history;
pub mod overview;
mod page;
mod query_builder;
#[cfg(test)]
mod query_plans;
pub mod radar;
#[cfg(test)]
mod search_bounds;
pub mod tasks;
mod webhook;

pub use crate::tables::account::{links, members, sessions, tokens, users};
pub use crate::tables::admin::{agents, projects, repo_remotes, repos, workflows};
pub use crate::tables::dispatch::{needs_person, served_projects, waiting_tasks};
pub use crate::tables::effect::{effects, nodes};
pub use crate::tables::execution::{
    agent_waits, budgets, execution_tokens, executions, ports, usage,
};
pub use crate::tables::gate::{check_ledger, receipts, reviews};
pub use crate::tables::history::{comments, counters, events, projection, questions, transitions};
pub use crate::tables::webhook::{webhook_deliveries, webhook_leases, webhooks};

pub use crate::tables::page::{ListOrder, PageRequest};
