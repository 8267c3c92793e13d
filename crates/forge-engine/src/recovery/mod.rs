//! Start and stop of a node.
//!
//! Start-up (E-12): the lock on the data directory proves that the node's last run is dead. Recovery first locks the
//! workspaces of the executions that it left, before any effect can start there. Then it releases its leases and the
//! workspace locks of dead processes, ends stray processes, and deletes incomplete clones.
//!
//! Shutdown (E-13): the node starts no more agents. By the restart policy it detaches from the running ones or ends
//! them; other effects may finish within a time limit.
//!
//! Crash during recovery: every part can be repeated. If a start released effects but was killed before they were
//! leased again, the next start adopts their executions too.

pub(crate) mod adopted_locks;
pub(crate) mod restart_policy;
pub(crate) mod shut_down;
pub(crate) mod shutdown_signals;
pub(crate) mod startup_recovery;
