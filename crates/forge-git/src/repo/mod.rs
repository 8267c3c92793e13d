//! Repositories: opening one by its top level, creating one, the directories it consists of, and its lock.
//!
//! `Repo` is identified by its resolved common git directory. `RepoLocks` lets only one task at a time change a
//! repository's references and worktree list: tasks of this process wait in a queue, and a kernel lock on a file
//! outside the repository keeps other processes out (W-12). A `LockedRepo` exists only while the lock is held; a change
//! of references or of the worktree list requires one.
//!
//! Crash: the kernel releases the lock when the last handle closes, also that of a git child which outlives Forge. An
//! interrupted `init` leaves a directory that the next attempt refuses as taken.

pub(crate) mod repo_init;
mod repo_layout;
pub(crate) mod repo_lock;
pub(crate) mod repository;
pub(crate) mod repository_directories;
