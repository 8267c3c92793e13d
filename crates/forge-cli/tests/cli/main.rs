//! The binary as a user runs it: what it prints, what it leaves, how it exits.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod agents;
mod answers;
mod forge;
mod journal;
mod login;
mod members;
mod played_server;
mod project_workflow;
mod serve;
mod tasks;
mod usage;
mod walk;
mod workflow;
mod workspace;
mod workspaces;
