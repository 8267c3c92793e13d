//! The tables, one noun per file. Reads take the [`Db`](crate::Db) and writes the [`Tx`](crate::Tx); a read that a
//! decision needs inside its transaction has a twin that ends in `_in`.

pub mod agents;
mod assembly;
pub mod budgets;
pub mod check_ledger;
mod column;
pub mod comments;
pub mod counters;
pub mod dispatch;
pub mod effects;
pub mod events;
pub mod execution_tokens;
pub mod executions;
pub mod links;
pub mod members;
pub mod nodes;
mod page;
#[cfg(test)]
mod plans;
pub mod ports;
pub mod projection;
pub mod projects;
pub mod quota;
pub mod radar;
pub mod receipts;
pub mod repo_remotes;
pub mod repos;
pub mod reviews;
pub mod sessions;
pub mod tasks;
pub mod tokens;
pub mod transitions;
pub mod usage;
pub mod users;
pub mod waiting;
pub mod workflows;

pub use page::{Order, Page};
