//! Cache of repositories and watched worktrees for read-only requests (W-16): repeated reads cost nothing.

use forge_git::{GitProgram, Repo, RepoOpenError, WorktreeCache, WorktreeWatcher};
use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Opened repositories and watched worktrees.
#[derive(Debug)]
pub(crate) struct ReadCache {
    pub(crate) sights: WorktreeCache,
    repos: Mutex<HashMap<PathBuf, (Repo, RepoIdentity)>>,
}

/// Identity of the repository at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RepoIdentity {
    resolved: PathBuf,
    common_dir: (u64, u64, u32),
}

impl ReadCache {
    /// Starts the file watcher. If the system cannot watch, every read asks git.
    pub(crate) fn new() -> Self {
        let watcher = WorktreeWatcher::start();
        if let Err(error) = &watcher {
            tracing::warn!(%error, "could not watch worktrees; asking git each time");
        }
        Self { sights: WorktreeCache::new(watcher.ok()), repos: Mutex::default() }
    }

    /// The repository at a path; opened again only if another one takes its place.
    pub(crate) async fn open_repo(
        &self,
        git: &GitProgram,
        path: &Path,
    ) -> Result<Repo, RepoOpenError> {
        let known = {
            let repos = self.repos.lock().unwrap_or_else(PoisonError::into_inner);
            repos.get(path).cloned()
        };
        if let Some((repo, then)) = known
            && identify(path, &repo).as_ref() == Some(&then)
        {
            return Ok(repo);
        }
        let repo = Repo::open(git, path).await?;
        let mut repos = self.repos.lock().unwrap_or_else(PoisonError::into_inner);
        match identify(path, &repo) {
            Some(identity) => drop(repos.insert(path.to_owned(), (repo.clone(), identity))),
            None => drop(repos.remove(path)),
        }
        Ok(repo)
    }
}

fn identify(path: &Path, repo: &Repo) -> Option<RepoIdentity> {
    let found = std::fs::metadata(repo.common_dir()).ok()?;
    let resolved = path.canonicalize().ok()?;
    Some(RepoIdentity { resolved, common_dir: (found.dev(), found.ino(), found.uid()) })
}
