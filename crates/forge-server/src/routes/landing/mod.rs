//! Routes of reviews and landings: attempts at gates, verdicts and decisions, merge trains and their checks, pull
//! requests, conflicts, rebase, revert and regression.
//!
//! Each handler sends one command and waits for its effects. A crash leaves either no change or a recorded command
//! whose effects the next start performs. A repeated revert or regression request returns the task that the first one
//! created.

pub(crate) mod conflicts;
pub(crate) mod merge_trains;
pub(crate) mod post_landing;
pub(crate) mod pull_request;
pub(crate) mod reviews;
pub(crate) mod verdicts;
