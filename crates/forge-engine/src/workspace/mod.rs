//! Workspaces: where a task runs, a linked worktree or the project's plain directory. Prepares, sets up, journals,
//! restores, resets and removes them.
//!
//! States: planned (journalled names) → created → set up (fingerprint stored) → in use → staged for removal → saved →
//! deleted or recycled. One lock per workspace admits one writer.
//!
//! What the next attempt does after a crash:
//!
//! - while names were planned: it uses the journalled names.
//! - while the worktree was created: the worktree has no marker that its files are checked out, so the attempt checks
//!   them out again.
//! - while a missing workspace was recreated: the marker file `restoring-<task>` names the journal entry, and the
//!   attempt restores it.
//! - while the setup ran: it runs the setup again from the start.
//! - while the workspace was removed: it saves and deletes the staged directory, or moves it back if the task needs it
//!   again.

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
