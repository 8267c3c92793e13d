use std::fs;
use std::path::{Path, PathBuf};

use crate::command::git_error::GitError;
use crate::journal::task_journal::JOURNAL_REF_PREFIX;
use crate::repo::repo_lock::LockedRepo;

impl LockedRepo {
    /// Removes the lock files that killed git processes left on journal references, and returns how many. Such a file
    /// makes every later change of its reference fail, and with it the pruning of all journals. Nothing is removed
    /// while a git process works in the repository: an earlier server may have started it, and it may hold one of the
    /// locks.
    pub async fn drop_journal_locks(&self) -> Result<usize, GitError> {
        let common = self.repo().common_dir().to_owned();
        let dropping = tokio::task::spawn_blocking(move || remove_stale_locks(&common));
        dropping
            .await
            .map_err(std::io::Error::other)
            .map_err(GitError::file("searched", self.repo().common_dir()))?
    }
}

fn remove_stale_locks(common: &Path) -> Result<usize, GitError> {
    let mut locks = Vec::new();
    find_lock_files(&common.join(JOURNAL_REF_PREFIX), &mut locks);
    // The user's files are beside the git directory, and git processes run there too.
    let around = common.parent().filter(|_| common.ends_with(".git")).unwrap_or(common);
    if locks.is_empty() || !forge_proc::find_file_users(&locks, around, "git").is_empty() {
        return Ok(0);
    }
    for path in &locks {
        match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(GitError::file("removed", path)(error));
            }
            _ => tracing::info!(path = %path.display(), "removed stale lock of a journal"),
        }
    }
    Ok(locks.len())
}

fn find_lock_files(directory: &Path, locks: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => find_lock_files(&path, locks),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|end| end == "lock") => {
                locks.push(path);
            }
            _ => {}
        }
    }
}
