//! After a landing: reverts, regressions and their fix tasks, verification of remote checks, rebases of branches that did not merge, and the
//! order in which returned tasks go back to work (M-9).
//!
//! A successor task is created and recorded on the landed task in one transaction, which also finishes the effect that found the failure, so it exists once.
//! Crash: a rebase journals head and target tip before it merges; the retry finds the merge or the conflict, or resets to head and repeats. A revert that was committed is found by its head.

pub(crate) mod post_landing_work;
pub(crate) mod rebase_effect;
pub(crate) mod rebase_request;
pub(crate) mod regression;
pub(crate) mod return_queue;
pub(crate) mod revert_effect;
pub(crate) mod revert_request;
pub(crate) mod successor;
pub(crate) mod verify_landing;

pub use crate::landing::post_landing::post_landing_work::PostLanding;
pub use crate::landing::post_landing::successor::SuccessorOutcome;
