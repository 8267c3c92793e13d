//! Running git: the one constructor of git commands, and their output and errors. Beside it the two ways to run Forge's
//! own file work: at the lowest priority on a thread of its own (`run_low_priority`), or in place on the current thread
//! (`run_in_place`).
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
