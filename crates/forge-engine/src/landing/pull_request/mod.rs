//! Landing by a pull request on GitHub (M-16).
//!
//! States: branch pushed → pull request opened or found (journalled with its head) → checks and rules watched, one look per attempt → merge requested
//! (journalled) → merged → local target follows → report. Closed, conflicting, failed or unreviewed pull requests end the landing.
//!
//! Crash: a lost answer leads to a look for the existing pull request, never to a second one. After "merge requested" the retry asks GitHub whether it was merged, even if the task moved on.

mod github_repository;
mod pull_branch;
mod pull_end;
mod pull_host;
mod pull_open;
mod pull_watch;
