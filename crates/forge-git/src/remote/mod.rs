//! Remote repositories: address, credentials, clone, fetch and push.
//!
//! Every command for an existing repository runs in an isolated git directory that only borrows its objects, so that
//! the repository's settings cannot send a token elsewhere (M-15). Only the protocol of the address is allowed. A push
//! never forces, except on a branch that Forge itself made, and there only if the remote branch is still at the commit
//! that Forge pushed last (git's `--force-with-lease`).
//!
//! Crash: an interrupted clone leaves `<path>.part`, and isolated git directories may be left; both are removed at the
//! next start. After a lost connection a push has an unknown result: the caller fetches and compares.

pub(crate) mod bare_clone;
pub(crate) mod credentials;
pub(crate) mod fetch;
pub(crate) mod isolated_git_dir;
pub(crate) mod push;
pub(crate) mod remote_error;
pub(crate) mod remote_repo;
pub(crate) mod remote_url;
pub(crate) mod unfinished_clone;
