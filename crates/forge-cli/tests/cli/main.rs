//! The binary as a user runs it: its output, the files it leaves, its exit codes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod accounts;
mod agents;
mod answers;
mod board;
mod cleanup_delay;
mod cli_fixture;
mod conflicts;
mod doctor;
mod editing;
mod empty_machine;
mod forge;
mod held_back;
mod here;
mod hidden;
mod inbox;
mod journal;
mod login;
mod members;
mod post_landing;
mod progress;
mod project_workflow;
mod pseudo_terminal;
#[cfg(feature = "real-agents")]
mod real_agents;
mod removing;
mod repos;
mod rescue;
mod serve;
mod setup;
mod stable_text;
mod steer;
mod stub_server;
mod tasks;
mod three_commands;
mod token;
mod train;
mod usage;
mod verdict;
mod waits;
mod walk;
mod webhooks;
mod why;
mod workflow;
mod workspace;
mod workspaces;
