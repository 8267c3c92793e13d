//! Conversions of workspaces, setup, diffs, journal entries, orphans and cleanups.
//!
//! Pure functions; nothing is stored. A workspace that cannot be read becomes the status `unknown` with its error.

pub(crate) mod cleanup;
pub(crate) mod diff;
pub(crate) mod journal;
pub(crate) mod setup;
pub(crate) mod workspace;
