//! Cache of opened repositories. Opening one asks git several questions whose answers stay the same while the directory
//! stays the same.

use forge_git::{GitProgram, Repo, RepoOpenError};
use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Opens repositories, and keeps them by path; clones share them.
#[derive(Debug, Clone)]
pub(crate) struct OpenedRepos {
    git: GitProgram,
    known: Arc<Mutex<HashMap<PathBuf, (Repo, RepoPathInodes)>>>,
}

/// Inodes of the directory, of its `.git` and of the common directory.
type RepoPathInodes = [Option<(u64, u64)>; 3];

impl OpenedRepos {
    pub(crate) fn new(git: GitProgram) -> Self {
        Self { git, known: Arc::default() }
    }

    /// The repository at a path, opened again if the directory changed.
    pub(crate) async fn open(&self, path: &Path) -> Result<Repo, RepoOpenError> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        if let Some((repo, seen)) = known
            && path_inodes(path, &repo) == seen
        {
            return Ok(repo);
        }
        let repo = Repo::open(&self.git, path).await?;
        let entry = (repo.clone(), path_inodes(path, &repo));
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), entry);
        Ok(repo)
    }
}

fn path_inodes(path: &Path, repo: &Repo) -> RepoPathInodes {
    let inode = |found: std::io::Result<std::fs::Metadata>| {
        found.ok().map(|found| (found.dev(), found.ino()))
    };
    [
        inode(path.metadata()),
        inode(path.join(".git").symlink_metadata()),
        inode(repo.common_dir().join("HEAD").metadata().and(repo.common_dir().metadata())),
    ]
}
