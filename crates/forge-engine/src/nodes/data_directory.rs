//! The data directory: owned by one process, it holds everything that Forge keeps outside the database.

use crate::execution::transcript::LogFiles;
use crate::nodes::data_directory_owner::DataDirectoryOwner;
use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use uuid::Uuid;

/// The file that names the owning process.
const LOCK_FILE: &str = "forge.lock";
/// How often, and at what interval, to retry the lock of a dead server.
const DYING_TRIES: u32 = 250;
const DYING_PAUSE: Duration = Duration::from_millis(20);

/// An open data directory. Holds the kernel lock as long as this value lives.
#[derive(Debug)]
pub struct DataDirectory {
    root: PathBuf,
    node: Uuid,
    /// The lock on the directory itself protects it: any process with write access can delete the file.
    _locks: (Flock<File>, Flock<File>),
}

/// Why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum DataDirectoryError {
    /// Another server uses the directory.
    #[error("{} is in use by another Forge server (process {holder}); stop it, or start this one with another --data-dir", path.display())]
    InUse {
        path: PathBuf,
        /// The owner that the lock file names.
        holder: String,
    },
    /// The operating system returned an error.
    #[error("the data directory {} cannot be used: {source}; check that it is a directory you may write to", path.display())]
    Unusable { path: PathBuf, source: io::Error },
}

impl DataDirectory {
    /// Creates the directory if needed and locks it. Fails at once with the owner's name if another server has it.
    pub fn open(path: &Path, new_node: impl FnOnce() -> Uuid) -> Result<Self, DataDirectoryError> {
        let unusable = |source| DataDirectoryError::Unusable { path: path.to_owned(), source };
        let root = make_private(path).map_err(unusable)?;
        let locks = (lock_directory(&root)?, lock_file(&root)?);
        for part in ["logs", "locks", "prompts"] {
            make_private(&root.join(part)).map_err(unusable)?;
        }
        let node = load_node(&root, new_node).map_err(unusable)?;
        Ok(Self { root, node, _locks: locks })
    }

    /// Whether a server has the directory open. A directory that does not exist is free.
    pub fn is_in_use(path: &Path) -> io::Result<bool> {
        let directory = match File::open(path) {
            Ok(directory) => directory,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        };
        match Flock::lock(directory, FlockArg::LockSharedNonblock) {
            Ok(_) => Ok(false),
            Err((_, Errno::EWOULDBLOCK)) => Ok(true),
            Err((_, error)) => Err(error.into()),
        }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The id of this node, stable across restarts.
    pub fn node(&self) -> Uuid {
        self.node
    }

    /// Path of the embedded database.
    pub fn database(&self) -> PathBuf {
        self.root.join("forge.db")
    }

    /// Default directory of worktrees.
    pub fn workspaces(&self) -> PathBuf {
        self.root.join("workspaces")
    }

    /// Directories of projects without git.
    pub fn directories(&self) -> PathBuf {
        self.root.join("directories")
    }

    /// The bare clone of a repository that was added by URL.
    pub fn clone_of(&self, repo: Uuid) -> PathBuf {
        self.clones().join(format!("{repo}.git"))
    }

    /// The directory of all clones.
    pub fn clones(&self) -> PathBuf {
        self.root.join("repos")
    }

    /// Isolated git directories for calls to remote repositories.
    pub(crate) fn isolated_git_dirs(&self) -> PathBuf {
        self.root.join("isolated-git")
    }

    /// Copies of the repositories' git settings that git is called with (W-19).
    pub(crate) fn git_settings(&self) -> PathBuf {
        self.root.join("git-settings")
    }

    /// The key that encrypts stored tokens.
    pub(crate) fn token_key(&self) -> PathBuf {
        self.root.join("token.key")
    }

    /// Directory of lock files.
    pub fn locks(&self) -> PathBuf {
        self.root.join("locks")
    }

    /// The log of an execution or review.
    pub fn log(&self, id: Uuid) -> PathBuf {
        self.root.join("logs").join(format!("{id}.log"))
    }

    /// All files of an execution's log.
    pub(crate) fn log_files(&self, id: Uuid) -> LogFiles {
        LogFiles::beside(self.log(id))
    }

    /// Executions whose output a relay process keeps for the next server.
    pub(crate) fn load_unattended(&self) -> io::Result<Vec<Uuid>> {
        let entries = fs::read_dir(self.root.join("logs"))?;
        let names = entries.flatten().map(|entry| entry.file_name());
        let id = |name: &str| name.strip_suffix(".log.spool")?.parse().ok();
        Ok(names.filter_map(|name| id(name.to_str()?)).collect())
    }

    /// The prompt of an execution.
    pub fn prompt(&self, id: Uuid) -> PathBuf {
        self.root.join("prompts").join(format!("{id}.md"))
    }

    /// The file of messages to a running program (T-22), beside its prompt, whose path it knows.
    pub fn controls(&self, id: Uuid) -> PathBuf {
        self.prompt(id).with_extension("controls")
    }
}

fn make_private(path: &Path) -> io::Result<PathBuf> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    path.canonicalize()
}

/// Locks the directory itself: a later server cannot bypass that lock by deleting or replacing a file.
fn lock_directory(root: &Path) -> Result<Flock<File>, DataDirectoryError> {
    let unusable = |source| DataDirectoryError::Unusable { path: root.to_owned(), source };
    let mut directory = File::open(root).map_err(unusable)?;
    for _ in 0..DYING_TRIES {
        directory = match Flock::lock(directory, FlockArg::LockExclusiveNonblock) {
            Ok(held) => return Ok(held),
            Err((directory, _)) => directory,
        };
        let named = match File::open(root.join(LOCK_FILE)) {
            Ok(mut file) => DataDirectoryOwner::load(&mut file).map_err(unusable)?,
            Err(_) => break,
        };
        refuse_if_alive(&named, root)?;
    }
    Err(DataDirectoryError::InUse { path: root.to_owned(), holder: "unknown".to_owned() })
}

/// Locks the file that names the owner, for older servers that know only this lock.
fn lock_file(root: &Path) -> Result<Flock<File>, DataDirectoryError> {
    let unusable = |source| DataDirectoryError::Unusable { path: root.to_owned(), source };
    let path = root.join(LOCK_FILE);
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    for _ in 0..DYING_TRIES {
        let file = options.open(&path).map_err(unusable)?;
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(mut held) => {
                // The file was replaced between opening and locking; this lock excludes no other server.
                let inode = |found: io::Result<fs::Metadata>| found.map(|found| found.ino()).ok();
                if inode(held.metadata()) != inode(fs::metadata(&path)) {
                    continue;
                }
                held.set_len(0).and_then(|()| held.rewind()).map_err(unusable)?;
                write!(held, "{}", DataDirectoryOwner::of_self()).map_err(unusable)?;
                return Ok(held);
            }
            Err((mut file, _)) => {
                let holder = DataDirectoryOwner::load(&mut file).map_err(unusable)?;
                refuse_if_alive(&holder, root)?;
            }
        }
    }
    Err(DataDirectoryError::InUse { path: root.to_owned(), holder: "unknown".to_owned() })
}

/// Fails at once while the owner lives.
fn refuse_if_alive(holder: &DataDirectoryOwner, root: &Path) -> Result<(), DataDirectoryError> {
    if holder.is_alive() {
        return Err(DataDirectoryError::InUse {
            path: root.to_owned(),
            holder: format!("{holder:#}"),
        });
    }
    // A killed server can leave a forked child before its exec, which still holds the open files.
    #[expect(clippy::disallowed_methods, reason = "a dying process gives no sign to wait for")]
    std::thread::sleep(DYING_PAUSE);
    Ok(())
}

fn load_node(root: &Path, new_node: impl FnOnce() -> Uuid) -> io::Result<Uuid> {
    let path = root.join("node");
    if let Some(node) = fs::read_to_string(&path).ok().and_then(|text| text.trim().parse().ok()) {
        return Ok(node);
    }
    let node = new_node();
    let fresh = root.join("node.new");
    fs::write(&fresh, format!("{node}\n"))?;
    fs::rename(fresh, path)?;
    Ok(node)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn issue_13_21_deleting_the_lock_file_lets_no_second_server_in() {
        let place = tempfile::tempdir().unwrap();
        let open = || DataDirectory::open(place.path(), || Uuid::from_u128(7));
        let first = open().expect("it is free");
        assert!(matches!(open(), Err(DataDirectoryError::InUse { .. })), "it is in use");
        assert!(DataDirectory::is_in_use(place.path()).unwrap());
        let file = place.path().join(LOCK_FILE);
        fs::remove_file(&file).unwrap();
        assert!(matches!(open(), Err(DataDirectoryError::InUse { .. })), "also without the file");
        fs::write(&file, "").unwrap();
        assert!(matches!(open(), Err(DataDirectoryError::InUse { .. })), "and with another one");
        drop(first);
        assert!(!DataDirectory::is_in_use(place.path()).unwrap());
        open().expect("it is free again");
    }
}
