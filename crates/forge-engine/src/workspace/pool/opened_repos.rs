//! Cache of opened repositories. Opening one asks git several questions whose answers stay the same while the directory
//! stays the same.

use forge_git::{GitProgram, Repo, RepoOpenError};
use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The opened repositories, by path.
#[derive(Debug, Default)]
pub(crate) struct OpenedRepos(Mutex<HashMap<PathBuf, (Repo, RepoPathInodes)>>);

/// Inodes of the directory, of its `.git` and of the common directory.
type RepoPathInodes = [Option<(u64, u64)>; 3];

impl OpenedRepos {
    /// The repository at a path, opened again if the directory changed.
    pub(crate) async fn open(&self, git: &GitProgram, path: &Path) -> Result<Repo, RepoOpenError> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        if let Some((repo, seen)) = known
            && path_inodes(path, &repo) == seen
        {
            return Ok(repo);
        }
        let repo = Repo::open(git, path).await?;
        let entry = (repo.clone(), path_inodes(path, &repo));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), entry);
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
