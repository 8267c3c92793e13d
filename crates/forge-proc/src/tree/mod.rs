//! Finds and ends the processes of a tree.
//!
//! A process belongs to a tree by session, by limit tag, by mark in its environment, by an earlier sighting, or by
//! descent from such a process (`ProcessTree`). `TreeSweep` sends TERM, waits for the grace, sends KILL, and repeats
//! until no member is alive. `orphans` makes this process the subreaper and reaps dead orphans, except children whose
//! exit status is claimed.
//!
//! Nothing here is stored: after a crash the next server finds the processes again by mark and tag. A crash in the
//! middle of a sweep leaves some members alive; the next sweep ends them.

pub(crate) mod file_users;
pub(crate) mod limit_tag;
pub(crate) mod orphans;
pub(crate) mod process_identity;
pub(crate) mod process_mark;
pub(crate) mod process_row;
mod process_snapshot;
pub(crate) mod process_tree;
pub(crate) mod tree_sweep;
