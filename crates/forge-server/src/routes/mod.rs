//! The routes, one file per noun. Handlers parse, ask the engine and convert; they decide nothing.
//!
//! Paths in `#[utoipa::path]` are relative to [`API`].

mod aftermath;
mod agents;
mod auth;
mod claim;
mod comments;
mod conflicts;
mod demo;
mod dependencies;
mod dispatch;
mod events;
mod execution_log;
mod executions;
mod follow_up;
mod handoff;
mod holder;
mod journal;
mod log;
mod members;
mod missing;
mod my_password;
mod password;
mod projects;
mod prompt;
mod pull_request;
mod repo_remote;
mod repos;
mod rescue;
mod reviews;
mod roles;
mod router;
mod setup;
mod steer;
mod steps;
mod subtasks;
mod system;
mod tasks;
mod tokens;
mod train;
mod transition;
mod usage;
mod users;
mod verdicts;
mod workflows;
mod workspace;
mod workspaces_upkeep;

pub(crate) use router::{API, document, router};
