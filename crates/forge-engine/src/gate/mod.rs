//! The gate: runs the checks of a review at a recorded commit (M-2), stores receipts of passed trees (M-5), detects submissions without changes
//! (E-6), and keeps the statistics of checks (M-12).
//!
//! States: commit collected → checks started (journalled) → results → receipt, if all passed. A receipt of an equal tree skips the checks.
//!
//! Crash: after "checks started" the retry ends left processes, restores the worktree to the collected commit, and runs the checks again.

pub(crate) mod check_ledger;
pub(crate) mod check_runner;
pub(crate) mod checks;
pub(crate) mod git_settings_check;
pub(crate) mod no_changes;
pub(crate) mod receipts;
