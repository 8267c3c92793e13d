//! Workspaces: where a task runs, a linked worktree or the project's plain directory. Prepares, sets up, journals, restores, resets and removes them.
//!
//! States: planned (journalled names) → created → set up (fingerprint stored) → in use → staged for removal → saved → deleted or recycled.
//! One lock per workspace admits one writer.
//!
//! Crash: after planning the retry uses the same names. In the middle of a creation the worktree counts as not checked out and is completed. In the middle
//! of a recreation the marker file `restoring-<task>` makes the next use restore the journal entry. In the middle of a setup it runs again from the start.
//! In the middle of a removal the staged directory is saved and deleted by the retry, or moved back if the task needs it again.

pub(crate) mod cleanup;
pub(crate) mod journal;
pub(crate) mod journal_writer;
pub(crate) mod locate;
pub(crate) mod naming;
pub(crate) mod plain_directory;
pub(crate) mod plain_effects;
pub(crate) mod plain_setup;
pub(crate) mod pool;
pub(crate) mod ports;
pub(crate) mod prepare;
pub(crate) mod remove_worktree;
pub(crate) mod reset_workspace;
pub(crate) mod reset_worktree;
pub(crate) mod restore_entry;
pub(crate) mod restore_workspace;
pub(crate) mod setup_effect;
pub(crate) mod task_repos;
pub(crate) mod view;
pub(crate) mod workspace_plan;
pub(crate) mod workspaces;
