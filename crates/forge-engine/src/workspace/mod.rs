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
mod journal_writer;
pub(crate) mod locate;
pub(crate) mod naming;
pub(crate) mod plain_directory;
mod plain_effects;
mod plain_setup;
pub(crate) mod pool;
mod ports;
mod prepare;
mod remove_worktree;
mod reset_workspace;
mod reset_worktree;
pub(crate) mod restore_entry;
mod restore_workspace;
pub(crate) mod setup_effect;
pub(crate) mod view;
pub(crate) mod workspace_plan;
