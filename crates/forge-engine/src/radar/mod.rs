//! The conflict radar (M-14): which live branches of a repository conflict with each other or with their target.
//!
//! A pass takes the branches that may have moved from `RadarQueue`, test-merges them in the object database, and stores
//! findings and events in one transaction. If another node stored findings meanwhile, the pass starts again.
//!
//! Crash: the queue is in memory; the next start queues all branches. Before the transaction nothing is stored and the
//! next pass repeats the merges; after it, a repeated pass finds nothing new.

pub(crate) mod branch_change;
pub(crate) mod check_branches;
pub(crate) mod project_conflicts;
pub(crate) mod radar_loop;
pub(crate) mod radar_queue;
pub(crate) mod record_findings;

pub use crate::radar::check_branches::RadarPassStats;
pub use crate::radar::project_conflicts::{BranchConflict, ProjectConflicts, RadarBranch};
pub(crate) use crate::radar::radar_queue::{RadarQueue, moves_a_branch};
