//! What was seen of repositories and worktrees by those who only look (W-16): the same look twice costs nothing.

use forge_git::{Git, OpenError, Repo, Sights, Watcher};
use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Repositories that were opened, and worktrees that are watched.
#[derive(Debug)]
pub(crate) struct Looks {
    pub(crate) sights: Sights,
    repos: Mutex<HashMap<PathBuf, (Repo, Identity)>>,
}

/// Which repository a path led to, and whose it was.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Identity {
    resolved: PathBuf,
    common_dir: (u64, u64, u32),
}

impl Looks {
    /// Begins to watch; where the system has no room for that, each look asks git.
    pub(crate) fn new() -> Self {
        let watcher = Watcher::start();
        if let Err(error) = &watcher {
            tracing::warn!(%error, "worktrees cannot be watched; git is asked about them each time");
        }
        Self { sights: Sights::new(watcher.ok()), repos: Mutex::default() }
    }

    /// The repository of a path. Git is asked once, and again when another one takes its place.
    pub(crate) async fn repo(&self, git: &Git, path: &Path) -> Result<Repo, OpenError> {
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

fn identify(path: &Path, repo: &Repo) -> Option<Identity> {
    let found = std::fs::metadata(repo.common_dir()).ok()?;
    let resolved = path.canonicalize().ok()?;
    Some(Identity { resolved, common_dir: (found.dev(), found.ino(), found.uid()) })
}
