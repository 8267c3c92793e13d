//! Keeps two commands from starting a server on one data directory.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use nix::fcntl::{Flock, FlockArg};

use crate::cli_error::CliError;

const FILE: &str = "start.lock";

/// Held while a command looks for the server of a data directory and starts it.
#[derive(Debug)]
pub(crate) struct StartLock {
    _held: Flock<File>,
}

impl StartLock {
    /// Creates the data directory if necessary, and waits until no other command starts its server.
    pub(crate) async fn acquire(data_dir: &Path) -> Result<Self, CliError> {
        let failed = |error: io::Error| {
            CliError::usage(format!(
                "the data directory {} cannot be used: {error}",
                data_dir.display()
            ))
            .hint("name another one with FORGE_DATA_DIR")
        };
        DirBuilder::new().recursive(true).mode(0o700).create(data_dir).map_err(failed)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false).mode(0o600);
        let file = options.open(data_dir.join(FILE)).map_err(failed)?;
        // On a separate thread, so that an interrupt can end the wait.
        let waiting = tokio::task::spawn_blocking(|| Flock::lock(file, FlockArg::LockExclusive));
        let held = waiting.await.map_err(|error| CliError::local(error.to_string()))?;
        held.map(|held| Self { _held: held }).map_err(|(_, error)| failed(error.into()))
    }
}
