//! The work after a landing: reverts, regressions and their repair tasks, verification by remote checks, rebases of
//! branches that did not merge, and the order in which returned tasks go back to work (M-9).
//!
//! A successor is a task that reverts or repairs a landed one. One transaction creates it, records it on the landed
//! task and, if an effect found the failure, finishes that effect; so it exists once.
//!
//! Crash: a rebase journals the head of the branch and the tip of the target before it merges. The retry finds the
//! finished merge or its conflict, or resets the worktree to the head and merges again. A revert is one commit; the
//! retry sees it at the head of the branch.

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
