//! Start and stop of a node. Start-up proves by the data directory's lock that the last run is dead, adopts the workspace locks of its executions first,
//! releases its leases and stale locks, ends stray processes, and deletes incomplete clones (E-12). Shutdown stops starting agents, detaches from or ends the running ones
//! by the restart policy, and lets effects finish (E-13).
//!
//! Crash during recovery: every part can be repeated; effects that a start released but did not lease again are adopted by the next start too.

pub(crate) mod adopted_locks;
pub(crate) mod restart_policy;
pub(crate) mod shut_down;
pub(crate) mod shutdown_signals;
pub(crate) mod startup_recovery;
