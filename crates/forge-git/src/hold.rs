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

use crate::beneath::Beneath;
use crate::error::GitError;
use crate::inner_directory::make_inner_directory;
use crate::lock::{LockedRepo, open_lock_file};
use crate::root::{DirectoryName, WorkspaceRoot};

/// The name of the sign in a worktree that somebody works in it.
pub const LOCK_FILE: &str = ".forge.lock";

/// How often another process is asked for its lock; our own tasks queue and are woken.
const ASK_AGAIN: Duration = Duration::from_millis(10);

/// How long a lock may be held by nobody who says so.
const LETTING_GO: Duration = Duration::from_secs(1);

type Turn = Arc<tokio::sync::Mutex<()>>;

/// Who works in a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// The execution or step on whose behalf.
    pub execution: String,
    /// The node it runs on.
    pub node: String,
    /// The process that holds the kernel lock.
    #[serde(flatten)]
    pub process: ProcessIdentity,
}

/// What to do while somebody else works in a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Do not wait.
    Reject,
    /// Wait so long.
    Wait(Duration),
}

/// Why a workspace is not ours.
#[derive(Debug, thiserror::Error)]
pub enum HoldError {
    /// Somebody works in it.
    #[error("the workspace {directory} is in use by {}; wait for it or stop it", describe(.holder.as_ref()))]
    Held {
        /// The workspace.
        directory: DirectoryName,
        /// Who, if they said so.
        holder: Option<Holder>,
    },
    /// The lock could not be used.
    #[error(transparent)]
    Git(#[from] GitError),
}

/// The locks of all workspaces of one root. The kernel lock is on a file outside the worktree, where no agent can
/// delete it from under its holder; the sign in the worktree says who it is.
#[derive(Debug, Clone)]
pub struct WorkspaceLocks {
    directory: PathBuf,
    turns: Arc<Mutex<HashMap<DirectoryName, Turn>>>,
}

/// A workspace that is ours alone until the last clone is dropped (W-4). Whatever changes a worktree is reached through
/// this value, so it cannot be done without the lock. Children do not inherit it.
#[derive(Debug, Clone)]
pub struct WorkspaceHold(Arc<Held>);

#[derive(Debug)]
struct Held {
    root: WorkspaceRoot,
    name: DirectoryName,
    holder: Holder,
    writing: Arc<tokio::sync::Mutex<()>>,
    // Fields drop in order: the kernel lock goes before the next task of this process may ask for it.
    file: File,
    _turn: OwnedMutexGuard<()>,
}

/// A sign that a dead process left, taken down (W-4).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StaleLock {
    /// The workspace.
    pub directory: String,
    /// Who had it.
    pub holder: Option<Holder>,
}

impl WorkspaceLocks {
    /// Keeps the lock files in `directory`, which all processes that share the workspaces must agree on.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), turns: Arc::default() }
    }

    /// Takes a workspace, whether or not its directory is there yet.
    pub async fn hold(
        &self,
        root: &WorkspaceRoot,
        name: &DirectoryName,
        holder: Holder,
        patience: Patience,
    ) -> Result<WorkspaceHold, HoldError> {
        let path = self.path(name);
        let turn = {
            let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
            // Turns that nobody waits for are forgotten on the way.
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            Arc::clone(turns.entry(name.clone()).or_default())
        };
        let held = || HoldError::Held { directory: name.clone(), holder: read_holder(&path) };
        let deadline = match patience {
            Patience::Reject => Instant::now(),
            Patience::Wait(time) => Instant::now() + time,
        };
        let turn = match patience {
            Patience::Reject => turn.try_lock_owned().map_err(|_| held())?,
            Patience::Wait(_) => {
                tokio::time::timeout_at(deadline, turn.lock_owned()).await.map_err(|_| held())?
            }
        };
        let mut file = open_lock_file(&path)?;
        // Whoever lets go wipes their name first. A lock without a name is on its way out, or its last handle is in a
        // child of theirs that has not quite become another program: that is over at once.
        let moment = Instant::now() + LETTING_GO;
        let mut asks = interval(ASK_AGAIN);
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
        text.and_then(|text| rewrite(&mut file, &text))
            .map_err(GitError::file("written", &path))?;
        let (root, name, writing) = (root.clone(), name.clone(), Arc::default());
        let held = Held { root, name, holder, writing, file, _turn: turn };
        let hold = WorkspaceHold(Arc::new(held));
        hold.show()?;
        Ok(hold)
    }

    /// Who works in a workspace now, if anybody does.
    pub fn holder(&self, name: &DirectoryName) -> Option<Holder> {
        let path = self.path(name);
        let file = File::open(&path).ok()?;
        match file.try_lock_shared() {
            Err(std::fs::TryLockError::WouldBlock) => read_holder(&path),
            _ => None,
        }
    }

    /// The same, and since when.
    pub fn holder_since(&self, name: &DirectoryName) -> Option<(Holder, SystemTime)> {
        let holder = self.holder(name)?;
        // Whoever takes the lock writes their name.
        let since = std::fs::metadata(self.path(name)).and_then(|file| file.modified()).ok()?;
        Some((holder, since))
    }

    /// Takes down the signs of holders that are dead: their kernel lock is free, and no process with their pid, start
    /// time and boot is alive.
    pub async fn release_stale(&self, root: &WorkspaceRoot) -> Result<Vec<StaleLock>, GitError> {
        let mut released = Vec::new();
        for name in root.load_directories().await? {
            let Ok(directory) = root.open_directory(&name) else { continue };
            if !directory.has(LOCK_FILE.as_ref()) || self.holder(&name).is_some() {
                continue;
            }
            let holder = shown(&directory);
            if holder.as_ref().is_some_and(|holder| holder.process.is_alive()) {
                continue;
            }
            directory.remove_file(Path::new(LOCK_FILE))?;
            released.push(StaleLock { directory: name.to_string(), holder });
        }
        Ok(released)
    }

    fn path(&self, name: &DirectoryName) -> PathBuf {
        self.directory.join(format!("workspace-{name}.lock"))
    }
}

impl WorkspaceHold {
    /// The workspace root.
    pub fn root(&self) -> &WorkspaceRoot {
        &self.0.root
    }

    /// The workspace's directory name.
    pub fn name(&self) -> &DirectoryName {
        &self.0.name
    }

    /// Waits for threads of ours that write files here: they are not over at once when their caller loses interest.
    pub(crate) async fn turn_to_write(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.0.writing).lock_owned().await
    }

    /// The only path that its worktree can have.
    pub fn path(&self) -> PathBuf {
        self.root().directory(self.name())
    }

    /// Puts the sign into the worktree, if there is one. Called again once the directory was made.
    pub(crate) fn show(&self) -> Result<(), GitError> {
        let Ok(directory) = self.root().open_directory(self.name()) else { return Ok(()) };
        let path = directory.path().join(LOCK_FILE);
        let text = serde_json::to_vec(&self.0.holder).map_err(std::io::Error::other);
        let mut file = match directory.create_file(Path::new(LOCK_FILE), 0o644) {
            Ok(file) => file,
            // A directory of that name is the agent's own; the lock itself does not depend on the sign.
            Err(error) => {
                tracing::warn!(%error, "the lock's sign could not be put up");
                return Ok(());
            }
        };
        text.and_then(|text| file.write_all(&text)).map_err(GitError::file("written", &path))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Ok(directory) = self.root.open_directory(&self.name) {
            directory.remove_file(Path::new(LOCK_FILE)).ok();
        }
        self.file.set_len(0).ok();
    }
}

fn rewrite(file: &mut File, text: &[u8]) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text)
}

fn read_holder(path: &Path) -> Option<Holder> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

fn shown(directory: &Beneath) -> Option<Holder> {
    const LONGEST: u64 = 4096;
    let file = directory.open_file(Path::new(LOCK_FILE)).ok()?;
    let mut text = Vec::new();
    file.take(LONGEST).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

fn describe(holder: Option<&Holder>) -> String {
    match holder {
        Some(holder) => {
            format!("{} (process {} on {})", holder.execution, holder.process.pid, holder.node)
        }
        None => "somebody who has not said who they are".to_owned(),
    }
}

/// The line that keeps the sign out of git's sight.
pub(crate) const EXCLUDE_LINE: &str = "/.forge.lock";

/// Adds the line to the repository's own list of ignored files, which no commit contains. In one go under the lock: of
/// two that write the new list side by side, one would move the other's away.
pub(crate) fn hide_lock_file(locked: &LockedRepo) -> Result<(), GitError> {
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
    let info = make_inner_directory(common_dir, "info");
    let info = info.map_err(GitError::file("created", &common_dir.join("info")))?;
    let new = info.join("exclude.forge");
    std::fs::write(&new, &text).map_err(GitError::file("written", &new))?;
    std::fs::rename(&new, &path).map_err(GitError::file("written", &path))
}
