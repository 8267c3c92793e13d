use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use forge_proc::ProcessIdentity;
use serde::{Deserialize, Serialize};
use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, interval};

use crate::command::git_error::GitError;
use crate::fs::confined_dir::ConfinedDir;
use crate::fs::git_subdirectory::create_git_subdirectory;
use crate::repo::repo_lock::{LockedRepo, open_lock_file};
use crate::worktree::workspace_root::{DirectoryName, WorkspaceRoot};

/// The file in a worktree that names the holder of its lock.
pub const LOCK_FILE: &str = ".forge.lock";

/// How often a lock of another process is tried again. Tasks of this process queue and are woken.
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// How long a kernel lock may stay held after its holder has cleared its name.
const RELEASE_GRACE: Duration = Duration::from_secs(1);

type WorkspaceQueue = Arc<tokio::sync::Mutex<()>>;

/// The process that works in a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockHolder {
    /// The execution or effect that the process works for.
    pub execution: String,
    /// The node that runs it.
    pub node: String,
    /// The process that holds the kernel lock.
    #[serde(flatten)]
    pub process: ProcessIdentity,
}

/// What to do while another process works in a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockWait {
    /// Fail at once.
    Reject,
    /// Wait at most this long.
    Wait(Duration),
}

/// Why the lock of a workspace was not acquired.
#[derive(Debug, thiserror::Error)]
pub enum WorkspaceLockError {
    /// Another process works in the workspace.
    #[error("the workspace {directory} is in use by {}; wait for it or stop it", describe(.holder.as_ref()))]
    Locked {
        directory: DirectoryName,
        /// The holder, if it wrote its name.
        holder: Option<LockHolder>,
    },
    /// The lock could not be used.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// The locks of all workspaces below one root. The kernel lock is on a file outside the worktree, where an agent
/// cannot delete it; the lock file in the worktree only names the holder.
#[derive(Debug, Clone)]
pub struct WorkspaceLocks {
    directory: PathBuf,
    queues: Arc<Mutex<HashMap<DirectoryName, WorkspaceQueue>>>,
}

/// The exclusive lock of a workspace, until the last clone is dropped (W-4). Everything that changes a worktree goes
/// through this value, so it cannot happen without the lock. Child processes do not inherit it.
#[derive(Debug, Clone)]
pub struct WorkspaceLockGuard(Arc<WorkspaceLockInner>);

#[derive(Debug)]
struct WorkspaceLockInner {
    root: WorkspaceRoot,
    name: DirectoryName,
    holder: LockHolder,
    writing: Arc<tokio::sync::Mutex<()>>,
    // Fields drop in order: the kernel lock is released before the next task of this process may try it.
    file: File,
    _queue_guard: OwnedMutexGuard<()>,
}

/// A lock file of a dead process that was removed (W-4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StaleWorkspaceLock {
    pub directory: String,
    /// The process that held the lock.
    pub holder: Option<LockHolder>,
}

impl WorkspaceLocks {
    /// Keeps the lock files in `directory`, which all processes that share the workspaces must agree on.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), queues: Arc::default() }
    }

    /// Locks a workspace, whether or not its directory exists yet.
    pub async fn acquire(
        &self,
        root: &WorkspaceRoot,
        name: &DirectoryName,
        holder: LockHolder,
        patience: LockWait,
    ) -> Result<WorkspaceLockGuard, WorkspaceLockError> {
        let path = self.lock_path(name);
        let turn = {
            let mut turns = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
            // Drop queues that no task waits in.
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            Arc::clone(turns.entry(name.clone()).or_default())
        };
        let held =
            || WorkspaceLockError::Locked { directory: name.clone(), holder: read_holder(&path) };
        let deadline = match patience {
            LockWait::Reject => Instant::now(),
            LockWait::Wait(time) => Instant::now() + time,
        };
        let turn = match patience {
            LockWait::Reject => turn.try_lock_owned().map_err(|_| held())?,
            LockWait::Wait(_) => {
                tokio::time::timeout_at(deadline, turn.lock_owned()).await.map_err(|_| held())?
            }
        };
        let mut file = open_lock_file(&path)?;
        // A holder clears its name before it releases the lock. A lock without a name is about to be released, or its
        // last handle is in a child process that has not called exec yet; both are over soon.
        let moment = Instant::now() + RELEASE_GRACE;
        let mut asks = interval(RETRY_INTERVAL);
        loop {
            let limit = if read_holder(&path).is_some() { deadline } else { deadline.max(moment) };
            match file.try_lock() {
                Ok(()) => break,
                Err(std::fs::TryLockError::WouldBlock) if Instant::now() < limit => {
                    asks.tick().await;
                }
                Err(std::fs::TryLockError::WouldBlock) => return Err(held()),
                Err(std::fs::TryLockError::Error(error)) => {
                    return Err(GitError::file("locked", &path)(error).into());
                }
            }
        }
        let text = serde_json::to_vec(&holder).map_err(std::io::Error::other);
        text.and_then(|text| replace_content(&mut file, &text))
            .map_err(GitError::file("written", &path))?;
        let (root, name, writing) = (root.clone(), name.clone(), Arc::default());
        let held = WorkspaceLockInner { root, name, holder, writing, file, _queue_guard: turn };
        let hold = WorkspaceLockGuard(Arc::new(held));
        hold.write_lock_file()?;
        Ok(hold)
    }

    /// The current holder of a workspace's lock, if it is locked.
    pub fn holder(&self, name: &DirectoryName) -> Option<LockHolder> {
        let path = self.lock_path(name);
        let file = File::open(&path).ok()?;
        match file.try_lock_shared() {
            Err(std::fs::TryLockError::WouldBlock) => read_holder(&path),
            _ => None,
        }
    }

    /// The current holder, and when it acquired the lock.
    pub fn holder_since(&self, name: &DirectoryName) -> Option<(LockHolder, SystemTime)> {
        let holder = self.holder(name)?;
        // A holder writes its name when it acquires the lock.
        let since =
            std::fs::metadata(self.lock_path(name)).and_then(|file| file.modified()).ok()?;
        Some((holder, since))
    }

    /// Removes the lock files of dead holders: their kernel lock is free, and no process with their pid, start time
    /// and boot id is alive.
    pub async fn release_stale(
        &self,
        root: &WorkspaceRoot,
    ) -> Result<Vec<StaleWorkspaceLock>, GitError> {
        let mut released = Vec::new();
        for name in root.load_directories().await? {
            let Ok(directory) = root.open_directory(&name) else { continue };
            if !directory.contains_name(LOCK_FILE.as_ref()) || self.holder(&name).is_some() {
                continue;
            }
            let holder = read_lock_file(&directory);
            if holder.as_ref().is_some_and(|holder| holder.process.is_alive()) {
                continue;
            }
            directory.remove_file(Path::new(LOCK_FILE))?;
            released.push(StaleWorkspaceLock { directory: name.to_string(), holder });
        }
        Ok(released)
    }

    fn lock_path(&self, name: &DirectoryName) -> PathBuf {
        self.directory.join(format!("workspace-{name}.lock"))
    }
}

impl WorkspaceLockGuard {
    /// The workspace root.
    pub fn root(&self) -> &WorkspaceRoot {
        &self.0.root
    }

    /// The workspace's directory name.
    pub fn name(&self) -> &DirectoryName {
        &self.0.name
    }

    /// Waits for Forge's own threads that write files here. They do not end at once when their caller is cancelled.
    pub(crate) async fn lock_writes(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.0.writing).lock_owned().await
    }

    /// The path of the workspace's worktree.
    pub fn path(&self) -> PathBuf {
        self.root().directory(self.name())
    }

    /// Writes the lock file into the worktree, if the directory exists. Called again after the directory was created.
    pub(crate) fn write_lock_file(&self) -> Result<(), GitError> {
        let Ok(directory) = self.root().open_directory(self.name()) else { return Ok(()) };
        let path = directory.path().join(LOCK_FILE);
        let text = serde_json::to_vec(&self.0.holder).map_err(std::io::Error::other);
        let mut file = match directory.create_file(Path::new(LOCK_FILE), 0o644) {
            Ok(file) => file,
            // A directory of that name belongs to the agent. The lock itself does not depend on the file.
            Err(error) => {
                tracing::warn!(%error, "could not write lock file");
                return Ok(());
            }
        };
        text.and_then(|text| file.write_all(&text)).map_err(GitError::file("written", &path))
    }
}

impl Drop for WorkspaceLockInner {
    fn drop(&mut self) {
        if let Ok(directory) = self.root.open_directory(&self.name) {
            directory.remove_file(Path::new(LOCK_FILE)).ok();
        }
        self.file.set_len(0).ok();
    }
}

fn replace_content(file: &mut File, text: &[u8]) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text)
}

fn read_holder(path: &Path) -> Option<LockHolder> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

fn read_lock_file(directory: &ConfinedDir) -> Option<LockHolder> {
    const LONGEST: u64 = 4096;
    let file = directory.open_file(Path::new(LOCK_FILE)).ok()?;
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

fn describe(holder: Option<&LockHolder>) -> String {
    match holder {
        Some(holder) => {
            format!("{} (process {} on {})", holder.execution, holder.process.pid, holder.node)
        }
        None => "an unknown process".to_owned(),
    }
}

/// The ignore rule that hides the lock file from git.
pub(crate) const EXCLUDE_LINE: &str = "/.forge.lock";

/// Adds the rule to the repository's own ignore list, which no commit contains. Requires the repository's lock: of
/// two concurrent writers, one would overwrite the other's list.
pub(crate) fn exclude_lock_file(locked: &LockedRepo) -> Result<(), GitError> {
    let common_dir = locked.repo().common_dir();
    let path = common_dir.join("info").join("exclude");
    let known = match std::fs::read(&path) {
        Ok(known) => known,
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(GitError::file("read", &path)(error)),
    };
    if known
        .split(|byte| *byte == b'\n')
        .any(|line| line.trim_ascii_end() == EXCLUDE_LINE.as_bytes())
    {
        return Ok(());
    }
    let mut text = known;
    if text.last().is_some_and(|byte| *byte != b'\n') {
        text.push(b'\n');
    }
    text.extend_from_slice(EXCLUDE_LINE.as_bytes());
    text.push(b'\n');
    let info = create_git_subdirectory(common_dir, "info");
    let info = info.map_err(GitError::file("created", &common_dir.join("info")))?;
    let new = info.join("exclude.forge");
    std::fs::write(&new, &text).map_err(GitError::file("written", &new))?;
    std::fs::rename(&new, &path).map_err(GitError::file("written", &path))
}
