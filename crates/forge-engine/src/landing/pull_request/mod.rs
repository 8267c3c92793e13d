//! Landing by a pull request on GitHub (M-16).
//!
//! States: branch pushed → pull request opened or found (journalled with its head) → Forge watches its checks and
//! rules, once per attempt of the effect → merge requested (journalled) → merged → the local target follows → report. A
//! pull request that is closed, conflicts, fails its checks or contains unreviewed commits ends the landing.
//!
//! Crash: if the answer to "open a pull request" was lost, the retry finds the open one, so there is never a second.
//! After "merge requested" the retry asks GitHub whether it merged the pull request, even if the task has left the
//! merge state.

pub(crate) mod github_remote;
pub(crate) mod github_repository;
pub(crate) mod pull_branch;
pub(crate) mod pull_end;
pub(crate) mod pull_open;
pub(crate) mod pull_watch;
