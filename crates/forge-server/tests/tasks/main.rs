//! Everything under a task, over HTTP, against a real server with real git, real processes and a real database.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../support/mod.rs"]
mod support;

mod actions;
mod asynchronous;
mod bad_input;
mod board;
mod boundary_walk;
mod claim_overrides;
mod completing;
mod conflicts;
mod dispatch;
mod editing;
mod errands;
mod file_watch;
mod handoff;
mod held_up;
mod journal;
mod landing;
mod listing;
mod logs;
mod mcp;
mod meeting;
mod membership;
mod needs_person;
mod notes;
mod overview;
mod post_landing;
mod prompts;
mod questions;
mod refusals;
mod removing;
mod renamed;
mod replacing;
mod rescue;
mod roles;
mod seed;
mod setup;
mod subtasks;
mod train;
mod upkeep;
mod verdicts;
mod workspace;
