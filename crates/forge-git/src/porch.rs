use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::GitError;
use crate::git::Git;
use crate::object_id::ObjectId;
use crate::remote_repo::RemoteRepo;
use crate::repo::Repo;
use crate::root::delete;

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A git directory of our own that borrows a repository's objects and nothing else. What that repository or an agent
/// in one of its worktrees configured (another address, a proxy, a certificate, tags to push along) does not count here.
/// It goes when this value does.
#[derive(Debug)]
pub(crate) struct Porch {
    repo: Repo,
    path: PathBuf,
}

impl Porch {
    /// Makes one. The object says which kind of names the repository's objects have.
    pub(crate) async fn build(
        repo: &Repo,
        remote: &RemoteRepo,
        like: Option<&ObjectId>,
    ) -> Result<Self, GitError> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = remote.porches().join(format!("{}-{number}.porch", std::process::id()));
        delete(&path).await?;
        let porch = Self { repo: repo.clone(), path };
        let made = (|| {
            std::fs::create_dir_all(porch.path.join("refs"))?;
            std::fs::create_dir(porch.path.join("objects"))?;
            if like.is_some_and(|id| id.as_str().len() == 64) {
                let format = "[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n";
                std::fs::write(porch.path.join("config"), format)?;
            }
            std::fs::write(porch.path.join("HEAD"), "ref: refs/heads/none\n")
        })();
        made.map_err(GitError::file("made", &porch.path))?;
        Ok(porch)
    }

    pub(crate) fn git(&self) -> &Git {
        self.repo.git()
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn objects(&self) -> PathBuf {
        self.repo.common_dir().join("objects")
    }
}

impl Drop for Porch {
    fn drop(&mut self) {
        #[expect(clippy::disallowed_methods, reason = "we made it, and nothing is kept in it")]
        let removed = std::fs::remove_dir_all(&self.path);
        if let Err(error) = removed {
            tracing::debug!(path = %self.path.display(), %error, "a directory is left over");
        }
    }
}

/// Removes what a killed server left in the directory that only it used.
pub async fn discard_porches(directory: &Path) -> Result<(), GitError> {
    delete(directory).await
}
