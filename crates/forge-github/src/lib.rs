//! What Forge asks of GitHub itself, beside git: tokens of an App's installations (M-15).

mod app_key;
mod error;
mod github;
mod transport;

pub use app_key::{AppKey, AppKeyError};
pub use error::GitHubError;
pub use github::GitHub;
