//! Routes of workspaces: state, diff and diff stream, setup, journal, reset, cleanup and orphans.
//!
//! A restore runs in its own task and continues if the client disconnects. Reset and cleanup are durable effects that
//! save the content first; after a crash the next start continues them. Orphans are listed and never deleted.

pub(crate) mod journal;
pub(crate) mod setup;
pub(crate) mod workspace_cleanup;
pub(crate) mod workspaces;
