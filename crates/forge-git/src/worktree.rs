use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::error::GitError;
use crate::object_id::ObjectId;
use crate::record::Record;
use crate::ref_name::BranchName;
use crate::repo::Repo;
use crate::root::{DirectoryName, WorkspaceRoot};

/// One of our worktrees: a directory beneath the workspace root, git's record of it, and the branch it belongs to. No
/// value of this type can name a person's checkout.
#[derive(Debug, Clone)]
pub struct Worktree {
    repo: Repo,
    path: PathBuf,
    record: Record,
    branch: BranchName,
}

/// The caller's word that no process works in a worktree, given after its tree of processes was ended. What depends on
/// it removes lock files that a killed git left.
#[derive(Debug, Clone, Copy)]
pub struct NobodyInside(());

impl NobodyInside {
    /// States it.
    pub fn asserted() -> Self {
        Self(())
    }
}

impl Worktree {
    /// Finds a worktree again by what was recorded of it; `None` when git has no record of such a directory. It is not
    /// looked at yet: see [`Worktree::verify`].
    pub async fn open(
        repo: &Repo,
        root: &WorkspaceRoot,
        name: &DirectoryName,
        branch: &BranchName,
    ) -> Result<Option<Self>, GitError> {
        let path = root.directory(name);
        let record = Record::find(repo, &path).await?;
        Ok(record.map(|record| Self::new(repo, path, record, branch)))
    }

    pub(crate) fn new(repo: &Repo, path: PathBuf, record: Record, branch: &BranchName) -> Self {
        Self { repo: repo.clone(), path, record, branch: branch.clone() }
    }

    /// Its repository.
    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    /// Its directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The branch it was made for.
    pub fn branch(&self) -> &BranchName {
        &self.branch
    }

    /// Its own git directory, where its index and HEAD are.
    pub fn git_dir(&self) -> &Path {
        self.record.git_dir()
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    /// The commit it is on.
    pub async fn head(&self) -> Result<ObjectId, GitError> {
        Command::read_worktree(self, "rev-parse")
            .args(["--verify", "--end-of-options", "HEAD^{commit}"])
            .object_id()
            .await
    }

    /// Whether everything is committed, untracked files included.
    pub async fn is_clean(&self) -> Result<bool, GitError> {
        let status = Command::read_worktree(self, "status")
            .args(["--porcelain=v2", "-z", "--untracked-files=normal"])
            .arg("--ignore-submodules=none")
            .run()
            .await?;
        Ok(status.is_empty())
    }

    /// Lock files that git left in this worktree or on its branch.
    pub(crate) async fn lock_files(&self) -> Vec<PathBuf> {
        let branch = format!("{}.lock", self.branch.to_ref());
        let candidates = [
            self.git_dir().join("index.lock"),
            self.git_dir().join("HEAD.lock"),
            self.repo.common_dir().join(branch),
        ];
        let mut found = Vec::new();
        for path in candidates {
            if tokio::fs::symlink_metadata(&path).await.is_ok() {
                found.push(path);
            }
        }
        found
    }

    pub(crate) async fn drop_lock_files(&self, _proof: NobodyInside) -> Result<(), GitError> {
        for path in self.lock_files().await {
            tracing::info!(path = %path.display(), "removed a lock file that a killed git left");
            match tokio::fs::remove_file(&path).await {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(GitError::file("removed", &path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }
}
