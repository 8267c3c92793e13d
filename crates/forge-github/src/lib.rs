//! GitHub's API, besides git: tokens of App installations (M-15), check results of a commit, and pull requests
//! (M-16).

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
