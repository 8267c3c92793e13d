//! Repositories that were opened already. Opening one asks git several questions whose answers do not change while the
//! same directory stands in the same place.

use crate::engine::Engine;
use forge_git::{Git, OpenError, Repo};
use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// How long files stay in memory, at least, that nobody asks for.
const UNUSED_SECONDS: u64 = 300;

/// The opened repositories, by path.
#[derive(Debug, Default)]
pub(crate) struct OpenedRepos(Mutex<HashMap<PathBuf, (Repo, Stamp)>>);

/// What stands at a path: the directory, its `.git` and where that leads.
type Stamp = [Option<(u64, u64)>; 3];

impl OpenedRepos {
    /// The repository at a path, opened again if anything else stands there now.
    pub(crate) async fn open(&self, git: &Git, path: &Path) -> Result<Repo, OpenError> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        if let Some((repo, seen)) = known
            && stamp(path, &repo) == seen
        {
            return Ok(repo);
        }
        let repo = Repo::open(git, path).await?;
        let entry = (repo.clone(), stamp(path, &repo));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), entry);
        Ok(repo)
    }

    fn drop_unused_files(&self) {
        for (repo, _) in self.0.lock().unwrap_or_else(PoisonError::into_inner).values() {
            repo.drop_unused_files();
        }
    }
}

impl Engine {
    /// Has repositories give back the memory that no claim asked for in a while.
    pub(crate) async fn tend_memory(&self) {
        loop {
            self.0.clock.wait_until(self.0.clock.now().plus_seconds(UNUSED_SECONDS)).await;
            self.0.opened.drop_unused_files();
        }
    }
}

fn stamp(path: &Path, repo: &Repo) -> Stamp {
    let inode = |found: std::io::Result<std::fs::Metadata>| {
        found.ok().map(|found| (found.dev(), found.ino()))
    };
    [
        inode(path.metadata()),
        inode(path.join(".git").symlink_metadata()),
        inode(repo.common_dir().join("HEAD").metadata().and(repo.common_dir().metadata())),
    ]
}
