use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::command::git_error::GitError;
use crate::command::git_program::GitProgram;
use crate::refs::object_id::ObjectId;
use crate::remote::remote_repo::RemoteRepo;
use crate::repo::repository::Repo;
use crate::worktree::workspace_root::delete_tree;

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A temporary git directory that borrows a repository's objects and nothing else. Settings of that repository, which
/// an agent in one of its worktrees can change (another address, a proxy, a certificate, tags to push along), do not
/// apply here. Deleted when dropped.
#[derive(Debug)]
pub(crate) struct IsolatedGitDir {
    repo: Repo,
    path: PathBuf,
}

impl IsolatedGitDir {
    /// Creates the git directory. `like` is an object id that tells the repository's object format.
    pub(crate) async fn create(
        repo: &Repo,
        remote: &RemoteRepo,
        like: Option<&ObjectId>,
    ) -> Result<Self, GitError> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = remote.isolated_dirs().join(format!("{}-{number}.git", std::process::id()));
        delete_tree(&path).await?;
        let isolated_dir = Self { repo: repo.clone(), path };
        let made = (|| {
            std::fs::create_dir_all(isolated_dir.path.join("refs"))?;
            std::fs::create_dir(isolated_dir.path.join("objects"))?;
            if like.is_some_and(|id| id.as_str().len() == 64) {
                let format = "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n";
                std::fs::write(isolated_dir.path.join("config"), format)?;
            }
            std::fs::write(isolated_dir.path.join("HEAD"), "ref: refs/heads/none\n")
        })();
        made.map_err(GitError::file("made", &isolated_dir.path))?;
        Ok(isolated_dir)
    }

    pub(crate) fn git(&self) -> &GitProgram {
        self.repo.git()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn objects(&self) -> PathBuf {
        self.repo.common_dir().join("objects")
    }
}

impl Drop for IsolatedGitDir {
    fn drop(&mut self) {
        #[expect(
            clippy::disallowed_methods,
            reason = "Forge created it, and nothing is kept in it"
        )]
        let removed = std::fs::remove_dir_all(&self.path);
        if let Err(error) = removed {
            tracing::debug!(path = %self.path.display(), %error, "could not remove isolated git directory");
        }
    }
}

/// Removes the isolated git directories that a killed server left. No other process uses this directory.
pub async fn discard_isolated_git_dirs(directory: &Path) -> Result<(), GitError> {
    delete_tree(directory).await
}
