//! The pool: worktrees checked out in advance, so that a claim only moves a directory and points HEAD to a branch
//! (W-15).
//!
//! States of a pooled worktree:
//!
//! | state | how it is recognised | next |
//! |---|---|---|
//! | registered | git has a record of it | its files are checked out |
//! | checked out | the record's marker says so | the ready marker is written beside the directory |
//! | ready | the ready marker | a claim takes it, or it is withdrawn for an update or a repair |
//! | not ready | no ready marker | repaired (a new index, every file compared) and ready again, or dropped |
//! | taken | it has left the pool's directory and is on a task's branch | a finished task's worktree returns as "not ready" |
//!
//! A claim takes a worktree under the repository's lock; creating, updating and repairing happen under the pool's lock.
//! Ignored files stay in a worktree only for one owner.
//!
//! Crash: while a worktree is created or repaired it has no ready marker, so the next repair finishes or drops it. A
//! claim removes the ready marker first: afterwards the worktree is either still in the pool and gets repaired, or its
//! record names the task's path and `add_worktree` finishes or drops it. After a power failure (another boot id) a
//! ready worktree is compared file by file before a claim can take it.

mod abandoned_pools;
pub(crate) mod ignored_files_owner;
pub(crate) mod pool_lock;
pub(crate) mod pooled_worktree;
mod recycle;
pub(crate) mod take_worktree;
pub(crate) mod worktree_pool;
