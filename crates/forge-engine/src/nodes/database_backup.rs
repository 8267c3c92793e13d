//! Copies of the embedded database while the server works (S-7).

use crate::nodes::data_directory::DataDirectory;
use forge_store::{Db, StoreError};
use std::fs::{File, OpenOptions, remove_file};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::Arc;
use tokio::sync::Mutex;

const COPY: &str = "backup.tmp";

/// Writes copies of the database.
#[derive(Debug, Clone)]
pub struct DatabaseBackups {
    pub(crate) db: Db,
    pub(crate) home: Arc<DataDirectory>,
    /// One copy at a time: each needs as much disk as the database.
    pub(crate) turn: Arc<Mutex<()>>,
}

impl DatabaseBackups {
    /// A consistent copy of the database as of now, open for reading. Its file in the data directory is already
    /// unlinked, so nothing is left when it is closed; after a crash in between, the next copy removes it.
    pub async fn write_copy(&self) -> Result<File, StoreError> {
        let _turn = self.turn.lock().await;
        let path = self.home.root().join(COPY);
        match remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(&error)),
            _ => {}
        }
        // Made here, so that no other user of the machine can read it.
        let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        created.map_err(|error| failed(&error))?;
        let copied = self.db.back_up_to(&path).await;
        let opened = copied.and_then(|()| File::open(&path).map_err(|error| failed(&error)));
        unlink(&path);
        opened
    }
}

fn unlink(path: &Path) {
    if let Err(error) = remove_file(path) {
        tracing::warn!(path = %path.display(), %error, "failed to remove a copy of the database");
    }
}

fn failed(error: &io::Error) -> StoreError {
    let detail = error.to_string();
    match error.kind() {
        io::ErrorKind::StorageFull => StoreError::Full { detail },
        _ => StoreError::Unavailable { detail },
    }
}
