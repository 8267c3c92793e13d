use std::collections::HashMap;
use std::fs::File;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OwnedMutexGuard;

use crate::command::git_error::GitError;
use crate::repo::repository::Repo;

type RepoQueue = Arc<tokio::sync::Mutex<()>>;

/// Identifies a repository by device and inode, so that every path to it gives the same key.
type RepoKey = (u64, u64);

/// Serialises changes to a repository's references and worktree list: tasks of this process queue, processes use a
/// kernel lock on a file in one directory (W-12). Different repositories do not wait for each other.
#[derive(Debug, Clone)]
pub struct RepoLocks {
    directory: PathBuf,
    queues: Arc<Mutex<HashMap<RepoKey, RepoQueue>>>,
}

/// A locked repository, until dropped. Every change of references or of the worktree list is a method of this type,
/// so it cannot be called without the lock, nor with the lock of another repository.
#[derive(Debug)]
pub struct LockedRepo {
    repo: Repo,
    // Fields drop in order: the kernel lock is released before the next task of this process may try it.
    file: File,
    path: PathBuf,
    _queue_guard: OwnedMutexGuard<()>,
}

impl RepoLocks {
    /// Keeps the lock files in `directory`, which all processes that share repositories must agree on.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), queues: Arc::default() }
    }

    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Locks the repository; waits as long as necessary. Not re-entrant: a holder that calls it again waits for
    /// itself.
    pub async fn acquire(&self, repo: &Repo) -> Result<LockedRepo, GitError> {
        let common = repo.common_dir();
        let found = std::fs::metadata(common).map_err(GitError::file("read", common))?;
        let key = (found.dev(), found.ino());
        let turn = {
            let mut turns = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(turns.entry(key).or_default())
        };
        let turn = turn.lock_owned().await;
        let path = self.directory.join(format!("repo-{}-{}.lock", key.0, key.1));
        let file = open_lock_file(&path)?;
        let file = match file.try_lock() {
            Ok(()) => file,
            // Another process has the lock. Wait without a limit.
            Err(_) => {
                let locking = tokio::task::spawn_blocking(move || file.lock().map(|()| file));
                let locked = locking.await.map_err(std::io::Error::other).flatten();
                locked.map_err(GitError::file("locked", &path))?
            }
        };
        Ok(LockedRepo { repo: repo.clone(), file, path, _queue_guard: turn })
    }
}

/// Opens a lock file; creates it and its directory if they are missing.
pub(crate) fn open_lock_file(path: &Path) -> Result<File, GitError> {
    let open = || File::options().read(true).write(true).create(true).truncate(false).open(path);
    let opened = match open() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| open())
        }
        opened => opened,
    };
    opened.map_err(GitError::file("opened", path))
}

impl LockedRepo {
    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    pub(crate) fn lock_file(&self) -> &Path {
        &self.path
    }

    /// Clones the handle of the kernel lock. The lock is free only when every handle is closed, including those that
    /// child processes inherited.
    pub(crate) fn clone_lock_handle(&self) -> Result<File, GitError> {
        self.file.try_clone().map_err(GitError::file("shared", &self.path))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::command::git_program::GitProgram;

    #[tokio::test]
    async fn w_12_a_git_that_outlives_us_keeps_the_repository_locked() {
        let home = tempfile::tempdir().expect("a directory");
        let git = GitProgram::locate("/usr/local/bin:/usr/bin:/bin".as_ref()).expect("git");
        let init = forge_proc::ProgramInvocation::new(git.program(), home.path())
            .args(["init", "-q", "r"]);
        let limits = forge_proc::CaptureLimits {
            stdout: 1000,
            stderr: 1000,
            deadline: std::time::Duration::from_secs(60),
        };
        forge_proc::capture(init, limits).await.expect("runs");
        let path = home.path().join("r");
        let repo = Repo::open(&git, &path).await.expect("opens");
        let ours = RepoLocks::new(home.path());
        let locked = ours.acquire(&repo).await.expect("locks");
        // The handle that a child process has inherited, and keeps when Forge is gone.
        let inherited = locked.clone_lock_handle().expect("shares");
        let file = File::open(&locked.path).expect("opens");
        drop(locked);
        assert!(file.try_lock().is_err());
        drop(inherited);
        file.try_lock().expect("free once the child is gone");
    }
}
