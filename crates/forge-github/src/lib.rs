//! What Forge asks of GitHub itself, beside git: tokens of an App's installations (M-15), and what
//! its checks say about a commit (M-16).

mod app_key;
mod checks;
mod error;
mod github;
mod repository;
mod transport;

pub use app_key::{AppKey, AppKeyError};
pub use checks::{Checks, FailedCheck};
pub use error::GitHubError;
pub use github::GitHub;
pub use repository::Repository;
