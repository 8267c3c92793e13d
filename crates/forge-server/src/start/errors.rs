//! Why the server did not start.

use std::net::SocketAddr;

use forge_engine::{GitMissing, HomeError};
use forge_store::{DatabaseUrlError, StoreError};

use crate::auth::{HashingFailed, NoRandomness};
use crate::listen::BindFailed;
use crate::metrics::MetricsUnavailable;

/// Why the server did not start. Nothing is left running.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The data directory, for example because another server has it.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// There is no git.
    #[error(transparent)]
    Git(#[from] GitMissing),
    /// The setting names no database.
    #[error(transparent)]
    Database(#[from] DatabaseUrlError),
    /// The database or recovery.
    #[error(transparent)]
    Engine(#[from] forge_engine::StartError),
    /// The database, after it was opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address is taken.
    #[error(transparent)]
    Bind(#[from] BindFailed),
    /// The recorder of numbers.
    #[error(transparent)]
    Metrics(#[from] MetricsUnavailable),
    /// No random bytes.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
    /// The password hash.
    #[error(transparent)]
    Hashing(#[from] HashingFailed),
    /// The GitHub App of the settings.
    #[error("the GitHub App cannot be used: {problem}")]
    GitHubApp {
        /// What is wrong and what to do.
        problem: String,
    },
    /// Everybody on the network could use the one-time link first.
    #[error(
        "this server has no users yet, so it does not listen on {address}, where others can reach it; start it once \
         with --bind 127.0.0.1:{} and open the link it prints, or set FORGE_BOOTSTRAP_TOKEN",
        address.port()
    )]
    NoUsers {
        /// The address that was asked for.
        address: SocketAddr,
    },
}
