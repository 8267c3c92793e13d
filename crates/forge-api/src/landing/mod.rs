//! Wire types of reviews and landings: attempts at a gate and decisions about them, the merge train, pull requests,
//! conflicts between live branches, and everything after a landing (cleanup report, verification, revert,
//! regression).
//!
//! A review is `running`, `passed`, `failed`, `blocked`, `no_changes` or `superseded`. An entry of a merge train
//! waits, runs, passes, fails, conflicts or adds nothing. The engine stores both, so a restart of the server loses
//! neither.

pub(crate) mod conflict;
pub(crate) mod merge_train;
pub(crate) mod post_landing;
pub(crate) mod pull_request;
pub(crate) mod review;
