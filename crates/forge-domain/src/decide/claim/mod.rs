//! Taking and releasing tasks (T-3 to T-5, T-14, T-20, E-10): claims by agents and people, role assignments, handoffs, and the
//! guards that apply only to the scheduler.
//!
//! A claimable queue leads through the claim path to a work state. A claim assigns the claim role and opens the first execution; a
//! new holder of that role and a handoff return the task to the queue. A task that every eligible agent handed off is parked.
//!
//! All functions are pure. A crash before the commit leaves nothing; after the commit the planned effects are pending rows.

pub(crate) mod assign;
mod claim_task;
mod dispatch_guard;
mod handoff;
