//! Git's index: reading the file without git, private copies for queries, its lock, and the detection of an index that
//! is behind its branch.
//!
//! Crash: a private copy lies in a directory named after its process and is removed by the next copy. In a user's
//! checkout, the `index.lock` of a dead Forge process names its owner in its content and is taken over; a lock of
//! another git is never removed there. In a task's worktree `drop_lock_files` (`worktree/`) removes locks of dead git
//! processes.

pub(crate) mod index_file;
pub(crate) mod index_lock;
pub(crate) mod private_index;
pub(crate) mod stale_index;
