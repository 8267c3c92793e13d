use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::time::{Instant, interval};

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::fs::confined_dir::{ConfinedDir, PathEscapeError};
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;
use crate::repo::repository::Repo;
use crate::worktree::workspace_lock::WorkspaceLockGuard;
use crate::worktree::workspace_root::{DirectoryName, WorkspaceRoot};
use crate::worktree::worktree_location::WorktreeLocation;
use crate::worktree::worktree_record::WorktreeRecord;

/// A killed git process takes a moment to end.
const EXIT_GRACE: Duration = Duration::from_secs(2);
const RETRY_INTERVAL: Duration = Duration::from_millis(10);

/// One of Forge's worktrees, for reading: a directory below the workspace root, git's record of it, and its branch.
/// No value of this type can name a user's checkout. Changes are methods of [`LockedWorktree`].
#[derive(Debug, Clone)]
pub struct Worktree {
    repo: Repo,
    root: WorkspaceRoot,
    name: DirectoryName,
    path: PathBuf,
    record: WorktreeRecord,
    branch: BranchName,
}

/// A worktree whose lock is held, so that it can be changed (W-4).
#[derive(Debug, Clone)]
pub struct LockedWorktree {
    worktree: Worktree,
    workspace_lock: WorkspaceLockGuard,
}

impl std::ops::Deref for LockedWorktree {
    type Target = Worktree;

    fn deref(&self) -> &Worktree {
        &self.worktree
    }
}

impl WorkspaceLockGuard {
    /// The worktree in the locked workspace; `None` if git has no record of it.
    pub async fn worktree(
        &self,
        repo: &Repo,
        branch: &BranchName,
    ) -> Result<Option<LockedWorktree>, GitError> {
        let found = Worktree::open(repo, self.root(), self.name(), branch).await?;
        Ok(found.map(|worktree| LockedWorktree { worktree, workspace_lock: self.clone() }))
    }

    pub(crate) fn wrap_worktree(
        &self,
        repo: &Repo,
        record: WorktreeRecord,
        branch: &BranchName,
    ) -> LockedWorktree {
        let worktree = Worktree::new(repo, self.root(), self.name(), record, branch);
        LockedWorktree { worktree, workspace_lock: self.clone() }
    }
}

impl LockedWorktree {
    /// The workspace lock.
    pub fn workspace_lock(&self) -> &WorkspaceLockGuard {
        &self.workspace_lock
    }
}

impl Worktree {
    /// Finds a recorded worktree; `None` if git has no record of the directory. Does not check its state: see
    /// [`Worktree::verify`].
    pub async fn open(
        repo: &Repo,
        root: &WorkspaceRoot,
        name: &DirectoryName,
        branch: &BranchName,
    ) -> Result<Option<Self>, GitError> {
        let path = root.directory(name);
        let record = WorktreeRecord::find(repo, &path).await?;
        Ok(record.map(|record| Self::new(repo, root, name, record, branch)))
    }

    pub(crate) fn new(
        repo: &Repo,
        root: &WorkspaceRoot,
        name: &DirectoryName,
        record: WorktreeRecord,
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

    /// Opens the worktree's directory without following a symlink (W-5).
    pub(crate) fn open_directory(&self) -> Result<ConfinedDir, PathEscapeError> {
        self.root.open_directory(&self.name)
    }

    pub(crate) fn location(&self) -> WorktreeLocation {
        WorktreeLocation {
            repo: self.repo.clone(),
            git_dir: self.git_dir().to_owned(),
            root: self.root.clone(),
            relative: self.name.as_str().into(),
        }
    }

    pub fn repo(&self) -> &Repo {
        &self.repo
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The branch it was created for.
    pub fn branch(&self) -> &BranchName {
        &self.branch
    }

    /// The worktree's own git directory, which contains its index and HEAD.
    pub fn git_dir(&self) -> &Path {
        self.record.git_dir()
    }

    pub(crate) fn root(&self) -> &WorkspaceRoot {
        &self.root
    }

    pub(crate) fn name(&self) -> &DirectoryName {
        &self.name
    }

    pub(crate) fn record(&self) -> &WorktreeRecord {
        &self.record
    }

    /// The commit it is on.
    pub async fn head(&self) -> Result<ObjectId, GitError> {
        if let Some(head) = self.read_head_from_files() {
            return Ok(head);
        }
        GitCommand::read_worktree(self, "rev-parse")
            .args(["--verify", "--end-of-options", "HEAD^{commit}"])
            .output_object_id()
            .await
    }

    /// Whether everything is committed, untracked files included.
    pub async fn is_clean(&self) -> Result<bool, GitError> {
        self.refuse_special_files().await?;
        let status = GitCommand::read_worktree(self, "status")
            .args(["--porcelain=v2", "-z", "--untracked-files=normal"])
            .arg("--ignore-submodules=dirty")
            .run()
            .await?;
        Ok(status.is_empty())
    }

    /// Lock files of git in this worktree or on its branch.
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

impl LockedWorktree {
    /// Removes the lock files that a killed git left (W-11). This is safe: Forge holds the workspace, no live process
    /// has one of the files open, and no git process runs in the worktree.
    pub(crate) async fn drop_lock_files(&self) -> Result<(), GitError> {
        let files = self.lock_files();
        if files.is_empty() {
            return Ok(());
        }
        let deadline = Instant::now() + EXIT_GRACE;
        let mut looks = interval(RETRY_INTERVAL);
        while let Some(pid) = self.find_using_process(&files).await? {
            if Instant::now() > deadline {
                return Err(GitError::InUse { path: self.path().to_owned(), pid });
            }
            looks.tick().await;
        }
        for path in files {
            tracing::info!(path = %path.display(), "removed stale git lock");
            match tokio::fs::remove_file(&path).await {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(GitError::file("removed", &path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    async fn find_using_process(&self, files: &[PathBuf]) -> Result<Option<u32>, GitError> {
        let (locks, directory) = (files.to_vec(), self.path().to_owned());
        let looking = tokio::task::spawn_blocking(move || {
            forge_proc::find_file_users(&locks, &directory, "git")
        });
        let users = looking.await.map_err(std::io::Error::other);
        Ok(users.map_err(GitError::file("searched", self.path()))?.first().copied())
    }
}
