//! Repositories: opening one by its top level, creating one, the directories it consists of, and its lock.
//!
//! `Repo` is identified by its resolved common git directory. `RepoLocks` serialises changes of references and of the
//! worktree list: tasks of this process queue, processes use a kernel lock on a file outside the repository (W-12).
//! `LockedRepo` is the proof.
//!
//! Crash: the kernel releases the lock when the last handle closes, also that of a git child which outlives Forge. An
//! interrupted `init` leaves a directory that the next attempt refuses as taken.

pub(crate) mod repo_init;
mod repo_layout;
pub(crate) mod repo_lock;
pub(crate) mod repository;
pub(crate) mod repository_directories;
