//! Errors of the server's start.

use std::net::SocketAddr;

use forge_engine::{AccountError, DataDirectoryError, GitNotFoundError, HashingError};
use forge_store::{DatabaseUrlError, StoreError};

use crate::transport::http_listener::BindError;
use crate::transport::metrics::MetricsError;

/// Why the server did not start. Nothing is left running.
#[derive(Debug, thiserror::Error)]
pub enum ServerStartError {
    /// The data directory is unusable, for example because another server uses it.
    #[error(transparent)]
    Home(#[from] DataDirectoryError),
    /// The git program is missing.
    #[error(transparent)]
    Git(#[from] GitNotFoundError),
    /// The setting is not a database address.
    #[error(transparent)]
    Database(#[from] DatabaseUrlError),
    /// The database or the recovery failed.
    #[error(transparent)]
    Engine(#[from] forge_engine::EngineStartError),
    /// The database failed after it was opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address is in use.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The metrics recorder failed.
    #[error(transparent)]
    Metrics(#[from] MetricsError),
    /// The first admin or the sign-in link could not be created.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// Password hashing failed.
    #[error(transparent)]
    Hashing(#[from] HashingError),
    /// The settings of the GitHub App are invalid.
    #[error("the GitHub App cannot be used: {problem}")]
    GitHubApp {
        /// What is wrong and what to do.
        problem: String,
    },
    /// Any computer on the network could use the one-time link first.
    #[error(
        "this server has no users yet, so it does not listen on {address}, where others can reach it; start it once \
         with --bind 127.0.0.1:{} and open the link it prints, or set FORGE_BOOTSTRAP_TOKEN",
        address.port()
    )]
    NoUsers {
        /// The requested address.
        address: SocketAddr,
    },
}
