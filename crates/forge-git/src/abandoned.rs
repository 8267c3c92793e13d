use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::GitError;
use crate::git::Git;
use crate::lock::RepoLocks;
use crate::pool::Pool;
use crate::pool_turn::PoolTurn;
use crate::repo::Repo;
use crate::root::WorkspaceRoot;

impl WorkspaceRoot {
    /// Throws away the pools of repositories that nobody has any more: how many. What waits there is nobody's: the
    /// directories go to the trash, and git's records of them go too, where the repository is still there. Those that are
    /// known stay, and those of repositories at these places, which may only be out of reach now.
    pub async fn drop_abandoned_pools(
        &self,
        git: &Git,
        locks: &RepoLocks,
        known: &[Pool],
        places: &[PathBuf],
    ) -> Result<usize, GitError> {
        let mut dropped = 0;
        for directory in subdirectories(&self.pool())? {
            let name = directory.file_name().unwrap_or_default();
            if known.iter().any(|pool| pool.directory().file_name() == Some(name)) {
                continue;
            }
            let members = subdirectories(&directory)?;
            let of_place = |member: &PathBuf| {
                record_of(member)
                    .is_some_and(|record| places.iter().any(|place| record.starts_with(place)))
            };
            if members.iter().any(of_place) {
                continue;
            }
            // Held until the directory is gone: whoever adds the repository again right now waits for it.
            let turn = self.clear_pool(git, locks, &directory, &members).await?;
            tracing::info!(pool = %directory.display(), "dropped the pool of a repository that no project has");
            self.move_to_trash(&directory)?;
            drop(turn);
            dropped += 1;
        }
        Ok(dropped)
    }

    /// Has git forget what waits in a pool, if its repository can still be found.
    async fn clear_pool(
        &self,
        git: &Git,
        locks: &RepoLocks,
        directory: &Path,
        members: &[PathBuf],
    ) -> Result<Option<PoolTurn>, GitError> {
        for member in members {
            let Ok(repo) = Repo::open(git, member).await else { continue };
            let pool = Pool::open(&repo, self, locks)?;
            // A link that leads elsewhere by now says nothing about this pool.
            if pool.directory() == directory {
                let turn = pool.turn().await?;
                turn.clear().await?;
                return Ok(Some(turn));
            }
        }
        Ok(None)
    }
}

impl PoolTurn {
    /// Throws away everything that waits.
    pub async fn clear(&self) -> Result<(), GitError> {
        self.drop_unrecorded().await?;
        for member in self.pool().members().await? {
            if !self.is_given_away(&member).await? {
                self.drop_member(&member).await?;
            }
        }
        Ok(())
    }
}

fn subdirectories(place: &Path) -> Result<Vec<PathBuf>, GitError> {
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

/// Where a worktree's own `.git` says that its record is.
fn record_of(worktree: &Path) -> Option<PathBuf> {
    let link = std::fs::read_to_string(worktree.join(".git")).ok()?;
    link.trim_end().strip_prefix("gitdir: ").map(PathBuf::from)
}
