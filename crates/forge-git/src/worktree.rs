use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::{Instant, interval};

use crate::beneath::{Beneath, EscapeError};
use crate::command::Command;
use crate::error::GitError;
use crate::hold::WorkspaceHold;
use crate::object_id::ObjectId;
use crate::record::Record;
use crate::ref_name::BranchName;
use crate::repo::Repo;
use crate::root::{DirectoryName, WorkspaceRoot};
use crate::spot::Spot;

/// A git that was killed takes a moment to be gone.
const DYING: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_millis(10);

/// One of our worktrees, to look at: a directory beneath the workspace root, git's record of it, and the branch it
/// belongs to. No value of this type can name a person's checkout. What changes it is a method of [`HeldWorktree`].
#[derive(Debug, Clone)]
pub struct Worktree {
    repo: Repo,
    root: WorkspaceRoot,
    name: DirectoryName,
    path: PathBuf,
    record: Record,
    branch: BranchName,
}

/// A worktree whose lock we hold, so that it can be changed (W-4).
#[derive(Debug, Clone)]
pub struct HeldWorktree {
    worktree: Worktree,
    hold: WorkspaceHold,
}

impl std::ops::Deref for HeldWorktree {
    type Target = Worktree;

    fn deref(&self) -> &Worktree {
        &self.worktree
    }
}

impl WorkspaceHold {
    /// The worktree in the workspace that is held; `None` when git has no record of it.
    pub async fn worktree(
        &self,
        repo: &Repo,
        branch: &BranchName,
    ) -> Result<Option<HeldWorktree>, GitError> {
        let found = Worktree::open(repo, self.root(), self.name(), branch).await?;
        Ok(found.map(|worktree| HeldWorktree { worktree, hold: self.clone() }))
    }

    pub(crate) fn around(&self, repo: &Repo, record: Record, branch: &BranchName) -> HeldWorktree {
        let worktree = Worktree::new(repo, self.root(), self.name(), record, branch);
        HeldWorktree { worktree, hold: self.clone() }
    }
}

impl HeldWorktree {
    /// The lock.
    pub fn hold(&self) -> &WorkspaceHold {
        &self.hold
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
        Ok(record.map(|record| Self::new(repo, root, name, record, branch)))
    }

    pub(crate) fn new(
        repo: &Repo,
        root: &WorkspaceRoot,
        name: &DirectoryName,
        record: Record,
        branch: &BranchName,
    ) -> Self {
        Self {
            repo: repo.clone(),
            root: root.clone(),
            name: name.clone(),
            path: root.directory(name),
            record,
            branch: branch.clone(),
        }
    }

    /// Its directory, reached without following a symlink and held open (W-5).
    pub fn ground(&self) -> Result<Beneath, EscapeError> {
        self.root.open_directory(&self.name)
    }

    pub(crate) fn spot(&self) -> Spot {
        Spot {
            repo: self.repo.clone(),
            git_dir: self.git_dir().to_owned(),
            root: self.root.clone(),
            relative: self.name.as_str().into(),
        }
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

    pub(crate) fn root(&self) -> &WorkspaceRoot {
        &self.root
    }

    pub(crate) fn name(&self) -> &DirectoryName {
        &self.name
    }

    pub(crate) fn record(&self) -> &Record {
        &self.record
    }

    /// The commit it is on.
    pub async fn head(&self) -> Result<ObjectId, GitError> {
        if let Some(head) = self.look_at_head() {
            return Ok(head);
        }
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
    pub(crate) fn lock_files(&self) -> Vec<PathBuf> {
        let branch = format!("{}.lock", self.branch.to_ref());
        let candidates = [
            self.git_dir().join("index.lock"),
            self.git_dir().join("HEAD.lock"),
            self.repo.common_dir().join(branch),
        ];
        candidates.into_iter().filter(|path| path.symlink_metadata().is_ok()).collect()
    }
}

impl HeldWorktree {
    /// Removes the lock files that a killed git left (W-11): we hold the workspace, and no process that is alive
    /// has one of them open, nor does a git run in it.
    pub(crate) async fn drop_lock_files(&self) -> Result<(), GitError> {
        let files = self.lock_files();
        if files.is_empty() {
            return Ok(());
        }
        let deadline = Instant::now() + DYING;
        let mut looks = interval(LOOK_AGAIN);
        while let Some(pid) = self.user_of(&files).await? {
            if Instant::now() > deadline {
                return Err(GitError::InUse { path: self.path().to_owned(), pid });
            }
            looks.tick().await;
        }
        for path in files {
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

    async fn user_of(&self, files: &[PathBuf]) -> Result<Option<u32>, GitError> {
        let (locks, directory) = (files.to_vec(), self.path().to_owned());
        let looking =
            tokio::task::spawn_blocking(move || forge_proc::users(&locks, &directory, "git"));
        let users = looking.await.map_err(std::io::Error::other);
        Ok(users.map_err(GitError::file("searched", self.path()))?.first().copied())
    }
}
