//! The conflict radar (M-14): which live branches of a repository conflict with each other or with their target.
//!
//! A pass drains the queue of moved branches, makes trial merges in the object database, and stores findings and events in one transaction, if no other
//! pass wrote meanwhile. Crash: before the transaction nothing is recorded and the next pass repeats; after it a repeated pass finds nothing new.

pub(crate) mod branch_change;
pub(crate) mod check_branches;
pub(crate) mod project_conflicts;
pub(crate) mod radar_loop;
pub(crate) mod radar_queue;
pub(crate) mod record_findings;

pub use crate::radar::check_branches::RadarPassStats;
pub use crate::radar::project_conflicts::{BranchConflict, ProjectConflicts, RadarBranch};
pub(crate) use crate::radar::radar_queue::{RadarQueue, moves_a_branch};
