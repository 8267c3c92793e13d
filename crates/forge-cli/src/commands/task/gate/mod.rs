//! Actions around the gate and the landing of a task: review attempts, approve, reject, rebase, accept, revert,
//! report a regression.
//!
//! They send one request each; an interrupted command leaves the state of the last answered request.

pub(crate) mod approve_reject;
pub(crate) mod post_landing;
pub(crate) mod review_attempts;
