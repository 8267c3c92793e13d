//! What Forge asks of GitHub itself, beside git: tokens of an App's installations (M-15), what its
//! checks say about a commit, and pull requests (M-16).

mod app_key;
mod checks;
mod error;
mod github;
mod pulls;
mod repository;
mod transport;

pub use app_key::{AppKey, AppKeyError};
pub use checks::{Checks, FailedCheck};
pub use error::GitHubError;
pub use github::GitHub;
pub use pulls::{MergeAnswer, MergeMethod, Mergeable, Pull, PullState, PullText};
pub use repository::Repository;
