//! Publishes a running server in its data directory, and finds it there.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use forge_api::SecretString;
use forge_engine::{DataDirectory, PlainSecret, RandomnessError};
use serde::{Deserialize, Serialize};

use crate::local_server::local_sign_in::LocalCredential;
use crate::local_server::private_file::{PrivateFileError, read_private, write_private};

const ADDRESS_FILE: &str = "server.json";
const CREDENTIAL_FILE: &str = "local-credential";

/// The content of the address file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ServerAddress {
    address: SocketAddr,
    pid: u32,
}

/// A running server of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LocalServer {
    /// Its address, as a client on this machine writes it.
    pub address: SocketAddr,
    /// The process, to stop it.
    pub pid: u32,
    /// The secret that signs in; `None` if the server could not store one safely.
    pub credential: Option<SecretString>,
}

/// What a data directory says about its server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LocalServerState {
    /// No server runs.
    Stopped {
        /// The address of the last one.
        last: Option<SocketAddr>,
    },
    /// A server has the directory, and has not published its address yet.
    Starting,
    /// A server runs.
    Running(LocalServer),
}

/// Finds the server of a data directory. The lock proves that it runs: only its server can hold it, and the server
/// deletes the files of the one before as soon as it has the lock.
pub fn find_local_server(data_dir: &Path) -> Result<LocalServerState, PrivateFileError> {
    let unusable = |source| PrivateFileError::Unusable { path: data_dir.to_owned(), source };
    let found = read_address(data_dir)?;
    if !DataDirectory::is_in_use(data_dir).map_err(unusable)? {
        return Ok(LocalServerState::Stopped { last: found.map(|found| found.address) });
    }
    // Read again: the server may have started between the two.
    let Some(ServerAddress { address, pid }) = read_address(data_dir)? else {
        return Ok(LocalServerState::Starting);
    };
    let credential = read_private(&data_dir.join(CREDENTIAL_FILE))?;
    let credential = credential.map(|text| SecretString::new(text.trim()));
    Ok(LocalServerState::Running(LocalServer { address, pid, credential }))
}

fn read_address(data_dir: &Path) -> Result<Option<ServerAddress>, PrivateFileError> {
    let text = read_private(&data_dir.join(ADDRESS_FILE))?;
    // A file that cannot be read as an address is an earlier version's; the next start replaces it.
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// The published files of a running server. Dropping it withdraws the credential.
#[derive(Debug)]
pub struct PublishedServer {
    credential_file: PathBuf,
}

impl PublishedServer {
    /// Removes what an earlier server published. Call it with the lock of the data directory.
    pub(crate) fn withdraw_earlier(data_dir: &Path) {
        for name in [CREDENTIAL_FILE, ADDRESS_FILE] {
            remove(&data_dir.join(name));
        }
    }

    /// Publishes the address and a new credential. A directory in which they would not be safe gets neither: the
    /// server works, and `forge login` signs in.
    pub(crate) fn publish(
        data_dir: &Path,
        address: SocketAddr,
    ) -> Result<(Option<Self>, LocalCredential), RandomnessError> {
        let secret = PlainSecret::generate()?;
        let credential_file = data_dir.join(CREDENTIAL_FILE);
        let published = Self { credential_file };
        match published.write(data_dir, address, &secret) {
            Ok(()) => Ok((Some(published), LocalCredential::of(&secret))),
            Err(error) => {
                tracing::warn!(%error, "local sign-in is off");
                Ok((None, LocalCredential::default()))
            }
        }
    }

    fn write(
        &self,
        data_dir: &Path,
        address: SocketAddr,
        secret: &PlainSecret,
    ) -> Result<(), PrivateFileError> {
        let entry = ServerAddress { address, pid: std::process::id() };
        let text = serde_json::to_string(&entry).unwrap_or_default();
        // The address last: a client that finds it finds the credential, too.
        write_private(&self.credential_file, &format!("{}\n", secret.expose()))?;
        write_private(&data_dir.join(ADDRESS_FILE), &format!("{text}\n"))
    }
}

impl Drop for PublishedServer {
    fn drop(&mut self) {
        remove(&self.credential_file);
    }
}

fn remove(path: &Path) {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            tracing::warn!(path = %path.display(), %error, "failed to remove a file of local sign-in");
        }
        _ => {}
    }
}
