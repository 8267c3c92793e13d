use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;
use crate::pool::pool_lock::PoolLock;
use crate::pool::worktree_pool::WorktreePool;
use crate::repo::repo_lock::RepoLocks;
use crate::repo::repository::Repo;
use crate::worktree::workspace_root::WorkspaceRoot;

impl WorkspaceRoot {
    /// Drops the pools of repositories that no project uses any more, and returns how many were dropped. Their
    /// worktrees move to the trash; git's records of them are removed too if the repository still exists. Pools in
    /// `known` stay, and so do pools of repositories below one of `places`, because such a repository may be
    /// unreachable only for now.
    pub async fn drop_abandoned_pools(
        &self,
        git: &GitProgram,
        locks: &RepoLocks,
        known: &[WorktreePool],
        places: &[PathBuf],
    ) -> Result<usize, GitError> {
        let mut dropped = 0;
        for directory in list_subdirectories(&self.pool_directory())? {
            let name = directory.file_name().unwrap_or_default();
            if known.iter().any(|pool| pool.directory().file_name() == Some(name)) {
                continue;
            }
            let members = list_subdirectories(&directory)?;
            let of_place = |member: &PathBuf| {
                read_record_path(member)
                    .is_some_and(|record| places.iter().any(|place| record.starts_with(place)))
            };
            if members.iter().any(of_place) {
                continue;
            }
            // Hold the pool lock until the directory is gone, so that a caller that adds the repository again now
            // waits.
            let turn = self.clear_pool(git, locks, &directory, &members).await?;
            tracing::info!(pool = %directory.display(), "dropped pool of unused repository");
            self.move_to_trash(&directory)?;
            drop(turn);
            dropped += 1;
        }
        Ok(dropped)
    }

    /// Removes git's records of a pool's worktrees, if the repository can still be found. Returns the pool lock.
    async fn clear_pool(
        &self,
        git: &GitProgram,
        locks: &RepoLocks,
        directory: &Path,
        members: &[PathBuf],
    ) -> Result<Option<PoolLock>, GitError> {
        for member in members {
            let Ok(repo) = Repo::open(git, member).await else { continue };
            let pool = WorktreePool::open(&repo, self, locks)?;
            // A link that now leads elsewhere says nothing about this pool.
            if pool.directory() == directory {
                let turn = pool.lock().await?;
                turn.clear().await?;
                return Ok(Some(turn));
            }
        }
        Ok(None)
    }
}

impl PoolLock {
    /// Moves every worktree of the pool to the trash.
    pub async fn clear(&self) -> Result<(), GitError> {
        self.drop_unrecorded().await?;
        for member in self.pool().load_worktrees().await? {
            if !self.is_taken(&member).await? {
                self.drop_worktree(&member).await?;
            }
        }
        Ok(())
    }
}

fn list_subdirectories(place: &Path) -> Result<Vec<PathBuf>, GitError> {
    let entries = match std::fs::read_dir(place) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(GitError::file("read", place))?,
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    Ok(found)
}

/// Reads the path of git's record from the `.git` file of a worktree.
fn read_record_path(worktree: &Path) -> Option<PathBuf> {
    let link = std::fs::read_to_string(worktree.join(".git")).ok()?;
    link.trim_end().strip_prefix("gitdir: ").map(PathBuf::from)
}
