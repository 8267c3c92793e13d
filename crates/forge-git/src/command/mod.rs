//! Running git: the one constructor of git commands, their output and errors, and the two ways to run work off the
//! async threads.
//!
//! `GitCommand` is the only way to start git. Each constructor takes a value that proves its target (a locked
//! repository, a worktree below the workspace root, a user's checkout that may only be fast-forwarded) and fixes
//! environment, settings, deadline and output limits. A command runs in its own process group; dropping its future ends
//! git.
//!
//! Crash: a command that changes references or a pool inherits the lock's handle as its stdin, so the lock stays held
//! until that git has ended. A killed git can leave lock files; the callers remove them (`drop_lock_files`,
//! `drop_ref_lock`, `drop_journal_locks`).

pub(crate) mod git_command;
pub(crate) mod git_error;
mod git_invocation;
pub(crate) mod git_output;
pub(crate) mod git_program;
mod git_version;
pub(crate) mod low_priority;
pub(crate) mod run_in_place;
