//! Checks whether the database answers and the disk is writable (S-7, issue 13.20).

use crate::nodes::data_directory::DataDirectory;
use forge_git::{GitProgram, WorkspaceRoot};
use forge_store::Db;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A slower database counts as unavailable.
const LONGEST_ANSWER: Duration = Duration::from_secs(5);
const PROBE_FILE: &str = "readiness.probe";
/// One page: a smaller file could fit on a full disk.
const PROBE_BYTES: usize = 4096;

/// The findings, each with the problem and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StorageFindings {
    pub database: Result<(), String>,
    /// Disks of the data directory and of the workspaces.
    pub disk: Result<(), String>,
}

/// Examines what this node needs: database, disks, git.
#[derive(Debug, Clone)]
pub struct NodeProbe {
    pub(crate) db: Db,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) git: GitProgram,
    pub(crate) root: WorkspaceRoot,
}

impl NodeProbe {
    /// The version of git; `None` if git does not answer.
    pub async fn git_version(&self) -> Option<String> {
        self.git.version().await.ok()
    }

    /// Queries the database and writes to the disk.
    pub async fn probe_storage(&self) -> StorageFindings {
        let answer = tokio::time::timeout(LONGEST_ANSWER, self.db.fetch_engine_version()).await;
        let database = match answer {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err(format!(
                "the database gave no answer within {} s; look whether it runs",
                LONGEST_ANSWER.as_secs()
            )),
        };
        let (data, root) = (self.home.root().to_owned(), self.root.path().to_owned());
        let probing = tokio::task::spawn_blocking(move || probe_disk(&data, &root));
        let disk = probing.await.unwrap_or_else(|error| Err(error.to_string()));
        StorageFindings { database, disk }
    }
}

fn probe_disk(data: &Path, workspaces: &Path) -> Result<(), String> {
    write_probe(data).map_err(|error| {
        format!("nothing can be written to the data directory: {error}; free some space, or look at the disk")
    })?;
    let found = nix::sys::statvfs::statvfs(workspaces)
        .map_err(|error| format!("the workspace root cannot be read: {error}; look at the disk"))?;
    if found.blocks_available() == 0 {
        return Err("the disk of the workspaces is full; free some space".to_owned());
    }
    Ok(())
}

fn write_probe(directory: &Path) -> io::Result<()> {
    let path = directory.join(PROBE_FILE);
    let mut file = File::create(&path)?;
    file.write_all(&[0; PROBE_BYTES])?;
    file.sync_data()?;
    std::fs::remove_file(&path)
}
