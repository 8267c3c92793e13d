//! Landing by a pull request on GitHub (M-16).
//!
//! States: branch pushed → pull request opened or found (journalled with its head) → checks and rules watched, one look per attempt → merge requested
//! (journalled) → merged → local target follows → report. Closed, conflicting, failed or unreviewed pull requests end the landing.
//!
//! Crash: a lost answer leads to a look for the existing pull request, never to a second one. After "merge requested" the retry asks GitHub whether it was merged, even if the task moved on.

pub(crate) mod github_repository;
pub(crate) mod pull_branch;
pub(crate) mod pull_end;
pub(crate) mod pull_host;
pub(crate) mod pull_open;
pub(crate) mod pull_watch;
