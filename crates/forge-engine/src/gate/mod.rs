//! The gate: runs the checks of a review at a recorded commit (M-2), stores receipts of passed trees (M-5), detects
//! submissions without changes (E-6), and keeps the statistics of checks (M-12).
//!
//! States of a check run: the work is committed → the commit is journalled and the checks start → results → a receipt,
//! if all passed. If an equal tree has a receipt for the same checks, they do not run.
//!
//! Crash: once the checks have started, the retry ends the processes that they left, restores the worktree to the
//! journalled commit, and runs the checks again.

pub(crate) mod check_ledger;
pub(crate) mod check_runner;
pub(crate) mod checks;
pub(crate) mod git_settings_check;
pub(crate) mod no_changes;
pub(crate) mod receipts;
