//! The end of a landing, and what follows it (M-6 to M-12, W-19, F-3): merged, conflict, failed checks, waits; rebase, revert,
//! regression, and work that reached the target outside Forge.
//!
//! A landing that fails is sent along the `conflict` or `rejected` edge. If that edge leads back to work, the target is merged into
//! the branch first (`PendingReturn`); after `max_attempts` the `exhausted` edge applies. A landing that waits (dirty checkout, lock,
//! dependency, remote) stays open and annotates the task once.
//!
//! All functions are pure. A landing reported after the task moved on is still recorded, because the target ref has moved.

mod landing_failure;
mod landing_result;
mod outside_landing;
mod rebase;
mod regression;
pub(crate) mod revert;
