//! The data directory: one process owns it, and everything Forge keeps outside the database lives in it.

use crate::holder::Holder;
use crate::transcript::LogFiles;
use nix::fcntl::{Flock, FlockArg};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Seek, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;
use uuid::Uuid;

/// How often, and how long between, the lock of a dead server is asked for.
const DYING_TRIES: u32 = 250;
const DYING_PAUSE: Duration = Duration::from_millis(20);

/// An open data directory. The kernel lock is held as long as this value lives.
#[derive(Debug)]
pub struct Home {
    root: PathBuf,
    node: Uuid,
    _lock: Flock<File>,
}

/// Why a data directory cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HomeError {
    /// Another server has it.
    #[error("{} is in use by another Forge server (process {holder}); stop it, or start this one with another --data-dir", path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
        /// What the lock file says about its holder.
        holder: String,
    },
    /// The system refused.
    #[error("the data directory {} cannot be used: {source}; check that it is a directory you may write to", path.display())]
    Unusable {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl Home {
    /// Makes the directory if need be and takes its lock, or says at once who has it.
    pub fn open(path: &Path, new_node: impl FnOnce() -> Uuid) -> Result<Self, HomeError> {
        let unusable = |source| HomeError::Unusable { path: path.to_owned(), source };
        let root = make_private(path).map_err(unusable)?;
        let lock = lock(&root)?;
        for part in ["logs", "locks", "prompts"] {
            make_private(&root.join(part)).map_err(unusable)?;
        }
        let node = load_node(&root, new_node).map_err(unusable)?;
        Ok(Self { root, node, _lock: lock })
    }

    /// The directory.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The identity of this node: the same after every restart.
    pub fn node(&self) -> Uuid {
        self.node
    }

    /// The embedded database.
    pub fn database(&self) -> PathBuf {
        self.root.join("forge.db")
    }

    /// Where worktrees go unless a setting says otherwise.
    pub fn workspaces(&self) -> PathBuf {
        self.root.join("workspaces")
    }

    /// Where the directories of projects are that work without git.
    pub fn directories(&self) -> PathBuf {
        self.root.join("directories")
    }

    /// The bare clone of a repository that was added by its address.
    pub fn clone_of(&self, repo: Uuid) -> PathBuf {
        self.clones().join(format!("{repo}.git"))
    }

    /// Where such clones are.
    pub fn clones(&self) -> PathBuf {
        self.root.join("repos")
    }

    /// Where git is called for repositories elsewhere.
    pub(crate) fn porches(&self) -> PathBuf {
        self.root.join("porches")
    }

    /// The key of stored tokens.
    pub(crate) fn token_key(&self) -> PathBuf {
        self.root.join("token.key")
    }

    /// Kernel locks of repositories.
    pub fn locks(&self) -> PathBuf {
        self.root.join("locks")
    }

    /// The log of an execution or review.
    pub fn log(&self, id: Uuid) -> PathBuf {
        self.root.join("logs").join(format!("{id}.log"))
    }

    /// Everything that makes up the log of an execution.
    pub(crate) fn log_files(&self, id: Uuid) -> LogFiles {
        LogFiles::beside(self.log(id))
    }

    /// The executions whose output a process of their own keeps, for a server to come.
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

    /// Where a program finds what is said to it while it works (T-22): beside its prompt, which it is told.
    pub fn controls(&self, id: Uuid) -> PathBuf {
        self.prompt(id).with_extension("controls")
    }
}

fn make_private(path: &Path) -> io::Result<PathBuf> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)?;
    path.canonicalize()
}

fn lock(root: &Path) -> Result<Flock<File>, HomeError> {
    let unusable = |source| HomeError::Unusable { path: root.to_owned(), source };
    let path = root.join("forge.lock");
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(0o600);
    let mut file = options.open(path).map_err(unusable)?;
    for _ in 0..DYING_TRIES {
        file = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(mut held) => {
                held.set_len(0).and_then(|()| held.rewind()).map_err(unusable)?;
                write!(held, "{}", Holder::of_self()).map_err(unusable)?;
                return Ok(held);
            }
            Err((file, _)) => file,
        };
        let holder = Holder::load(&mut file).map_err(unusable)?;
        if holder.is_alive() {
            return Err(HomeError::InUse { path: root.to_owned(), holder: format!("{holder:#}") });
        }
        // A killed server can leave a child that has not become another program yet and still has its files open.
        #[expect(clippy::disallowed_methods, reason = "a dying process gives no sign to wait for")]
        std::thread::sleep(DYING_PAUSE);
    }
    Err(HomeError::InUse { path: root.to_owned(), holder: "unknown".to_owned() })
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
