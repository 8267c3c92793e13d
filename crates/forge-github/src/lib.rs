//! GitHub's API, besides git: tokens of App installations (M-15), check results of a commit, and pull requests
//! (M-16).
//!
//! octocrab 0.54 was tried in the place of this crate's connections and App keys, and not taken. It replaced 72 lines of
//! 870 and brought 37 crates: it signs with RustCrypto or AWS-LC, never with ring, which TLS uses here. The rest stays in
//! both cases, because octocrab:
//!
//! - takes an App's number only, not its client id, and signs with the system's clock, so that tests cannot set the time;
//! - keeps one installation's token in each client, so a table of tokens is needed anyway;
//! - reports a refusal without its headers, which tell a reached rate limit from a missing permission;
//! - reads check runs without their `status`, and only the first page of a commit's statuses;
//! - reads answers of any size, and loads the machine's certificates for plain connections too.

mod app_key;
mod commit_checks;
mod github_client;
mod github_error;
mod github_pulls;
mod github_repository;

pub use crate::app_key::{AppKey, AppKeyError};
pub use crate::commit_checks::{CommitChecks, FailedCommitCheck};
pub use crate::github_client::GitHubClient;
pub use crate::github_error::GitHubError;
pub use crate::github_pulls::{
    GitHubPull, GitHubPullState, GitHubPullText, MergeMethod, MergePullOutcome, MergeableState,
};
pub use crate::github_repository::GitHubRepository;
