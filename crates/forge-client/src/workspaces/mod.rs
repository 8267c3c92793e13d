//! Client methods for workspaces, setup, diffs, the journal and the cleanup of workspaces.
//!
//! Resetting, restoring and cleaning wait for the work and use the long time limit. The server continues if the
//! client disconnects.

mod cleanup;
mod journal;
mod workspace;

pub use crate::workspaces::journal::JournalClient;
pub use crate::workspaces::workspace::WorkspaceClient;
