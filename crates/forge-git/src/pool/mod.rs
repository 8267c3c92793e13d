//! The pool: worktrees checked out in advance, so that a claim only moves a directory and points HEAD to a branch
//! (W-15).
//!
//! States of a pooled worktree: registered → checked out → ready (a marker file beside it; nothing else makes it ready)
//! → taken, or withdrawn → repaired or dropped. Taking happens under the repository's lock; creating, updating and
//! repairing under the pool's lock. A finished task's worktree returns without its marker and is repaired: a new index,
//! every file compared. Ignored files stay only for one owner.
//!
//! Crash: while creating or repairing, there is no marker, so the next repair fixes or drops it. While taking, the
//! marker is gone first: either the worktree is still in the pool and gets repaired, or its record names the task's
//! path and `add_worktree` finishes or drops it. After a power cut (another boot id) a ready worktree is inspected
//! before it is given out.

mod abandoned_pools;
pub(crate) mod ignored_files_owner;
pub(crate) mod pool_lock;
pub(crate) mod pooled_worktree;
mod recycle;
pub(crate) mod take_worktree;
pub(crate) mod worktree_pool;
