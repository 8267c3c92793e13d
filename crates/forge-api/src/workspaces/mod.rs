//! Wire types of workspaces: state and lock, setup, journal entries, diffs, and the requests to clean up and to list
//! orphans.
//!
//! A workspace is `preparing`, `ready`, `cleaning`, `cleaned`, `corrupted`, `error` or `unknown`. Before Forge
//! discards files it saves them as a journal entry, so after a crash the content is in the workspace, in the journal,
//! or in both.

pub(crate) mod cleanup;
pub(crate) mod diff;
pub(crate) mod journal;
pub(crate) mod setup;
pub(crate) mod workspace;
