//! Tests of the rules as the engine uses them: commands and reports in, decisions or refusals out. One binary, so that
//! shared code is compiled once and unused code is reported.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

mod actions;
mod adoption;
mod archive;
mod budgets;
mod cancel;
mod claim;
mod claim_overrides;
mod comments;
mod completing;
mod conversations;
mod creation;
mod dependencies;
mod dispatch;
mod drawing;
mod fallback;
mod gate;
mod handoff;
mod judging;
mod landing;
mod logins;
mod moves;
mod no_changes;
mod planner;
mod post_landing;
mod problems;
mod questions;
mod random_workflows;
mod renaming;
mod replay;
mod rescue;
mod resets;
mod roles;
mod runs;
mod sent_back;
mod silence;
mod steering;
mod task_wait;
mod templates;
mod train;
mod turns;
mod waiting;
