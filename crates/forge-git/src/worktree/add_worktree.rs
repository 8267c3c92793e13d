use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checkout::checkout_list::Checkout;
use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::files::{self, CheckoutPriority};
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::{BranchName, RefName};
use crate::repo::repo_lock::{LockedRepo, RepoLocks};
use crate::repo::repository::Repo;
use crate::worktree::workspace_lock::{LOCK_FILE, WorkspaceLockGuard, exclude_lock_file};
use crate::worktree::workspace_root::delete_tree;
use crate::worktree::worktree_handle::{LockedWorktree, Worktree};
use crate::worktree::worktree_record::{WorktreeHead, WorktreeRecord};
use crate::worktree::worktree_records::WorktreeRecords;

const CHECKOUT_DEADLINE: Duration = Duration::from_secs(1800);

/// Which branch a new worktree is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorktreeBranch {
    /// One that is made here, at this commit.
    New {
        name: BranchName,
        /// Where it starts.
        base: ObjectId,
    },
    /// One that is there.
    Existing(BranchName),
}

impl WorktreeBranch {
    pub(crate) fn name(&self) -> &BranchName {
        match self {
            Self::New { name, .. } | Self::Existing(name) => name,
        }
    }
}

/// How far the branch of a worktree to be made is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum WorktreeBranchState {
    /// It is at this commit.
    At(ObjectId),
    /// It is to be made here.
    Missing { base: ObjectId },
}

impl WorktreeBranchState {
    /// The commit whose files the worktree is to have.
    pub(crate) fn commit(&self) -> &ObjectId {
        match self {
            Self::At(commit) | Self::Missing { base: commit } => commit,
        }
    }
}

/// Why a worktree was not made. Nothing that was there is changed.
#[derive(Debug, thiserror::Error)]
pub enum WorktreeAddError {
    /// The branch is in use elsewhere (W-3).
    #[error("the branch {branch} is checked out at {}; finish or move that checkout first", path.display())]
    CheckedOut {
        branch: BranchName,
        /// Where the branch is checked out.
        path: PathBuf,
    },
    /// A new branch was asked for but there is one, elsewhere.
    #[error("the branch {branch} exists already at {tip}; choose another name")]
    BranchExists {
        branch: BranchName,
        /// The commit that the branch points at.
        tip: ObjectId,
    },
    /// An existing branch was asked for but there is none.
    #[error("the branch {0} does not exist; reset the workspace to start anew")]
    BranchMissing(BranchName),
    /// The directory holds something that is not ours to overwrite.
    #[error("{} is in the way: {found}; move it elsewhere", path.display())]
    Occupied {
        /// The directory of the new worktree.
        path: PathBuf,
        /// What it holds.
        found: String,
    },
    /// The workspace root lies in a checkout, where the worktree would be seen as the person's files.
    #[error("the workspace root {} lies inside the checkout {}; choose a root outside of it", root.display(), checkout.display())]
    RootInsideCheckout {
        /// The workspace root.
        root: PathBuf,
        /// The person's checkout.
        checkout: PathBuf,
    },
    /// Git failed otherwise.
    #[error(transparent)]
    Git(#[from] GitError),
}

impl Repo {
    /// Makes a worktree, or finishes one that an earlier call began: killed at any point and called again it ends with
    /// the same worktree. The repository's lock is held for the short part only, not while files are checked out. One
    /// that is complete is returned as it is.
    pub async fn add_worktree(
        &self,
        locks: &RepoLocks,
        hold: &WorkspaceLockGuard,
        branch: &WorktreeBranch,
    ) -> Result<LockedWorktree, WorktreeAddError> {
        let worktree = {
            let locked = locks.acquire(self).await?;
            exclude_lock_file(&locked)?;
            locked.register_worktree(hold, branch).await?
        };
        hold.write_lock_file()?;
        worktree.check_out().await?;
        Ok(worktree)
    }
}

impl LockedRepo {
    /// The worktree with its branch and record, and an empty directory unless an earlier call filled it.
    async fn register_worktree(
        &self,
        hold: &WorkspaceLockGuard,
        branch: &WorktreeBranch,
    ) -> Result<LockedWorktree, WorktreeAddError> {
        let mut records = self.load_clean_records(hold.root()).await?;
        self.ensure_branch_free(&records, hold, branch).await?;
        if let Some(worktree) = self.resume_add(&mut records, hold, branch).await? {
            return Ok(worktree);
        }
        self.ensure_branch(branch).await?;
        let (name, head) = (hold.name().as_str(), WorktreeHead::Branch(branch.name().clone()));
        let record = WorktreeRecord::create(self, &hold.path(), name, &head).await?;
        Ok(hold.wrap_worktree(self.repo(), record, branch.name()))
    }

    /// The checkouts there are, none of which has the branch or the workspace root in it.
    pub(crate) async fn ensure_branch_free(
        &self,
        records: &WorktreeRecords,
        hold: &WorkspaceLockGuard,
        branch: &WorktreeBranch,
    ) -> Result<Vec<Checkout>, WorktreeAddError> {
        let (root, path) = (hold.root(), hold.path());
        let checkouts = self.repo().checkouts_with_records(&records.complete).await?;
        for checkout in &checkouts {
            if root.path().starts_with(checkout.path()) {
                return Err(WorktreeAddError::RootInsideCheckout {
                    root: root.path().to_owned(),
                    checkout: checkout.path().to_owned(),
                });
            }
            if checkout.branch() != Some(branch.name()) || checkout.path() == path {
                continue;
            }
            // A worktree on its way out of the pool, whose taker was killed: the repository's lock is ours now.
            if checkout.path().starts_with(root.pool_directory())
                && let Some(tip) = self.repo().tip(branch.name()).await?
            {
                WorktreeRecord::from_git_dir(checkout.git_dir()).detach_head(&tip)?;
                continue;
            }
            return Err(WorktreeAddError::CheckedOut {
                branch: branch.name().clone(),
                path: checkout.path().to_owned(),
            });
        }
        Ok(checkouts)
    }

    /// What an earlier call left: a registered worktree, or nothing after its half-made parts are gone.
    async fn resume_add(
        &self,
        records: &mut WorktreeRecords,
        hold: &WorkspaceLockGuard,
        branch: &WorktreeBranch,
    ) -> Result<Option<LockedWorktree>, WorktreeAddError> {
        let path = hold.path();
        let content = read_directory_content(&path)?;
        let Some(record) = records.record_of(&path).cloned() else {
            records.drop_without_path(self, hold.name()).await?;
            return match content {
                DirectoryContent::Absent => Ok(None),
                DirectoryContent::GitFileOnly => {
                    delete_tree(&path).await?;
                    Ok(None)
                }
                DirectoryContent::Files(found) => Err(WorktreeAddError::Occupied { path, found }),
            };
        };
        let worktree = hold.wrap_worktree(self.repo(), record.clone(), branch.name());
        let complete = record.is_complete() && worktree.git_file_problem().await.is_none();
        if complete && worktree.is_on_its_branch().await? {
            return Ok(Some(worktree));
        }
        match content {
            // The directory is gone (W-8), or git was killed before it put anything there.
            DirectoryContent::Absent | DirectoryContent::GitFileOnly => {
                record.delete().await?;
                delete_tree(&path).await?;
                Ok(None)
            }
            DirectoryContent::Files(found) => Err(WorktreeAddError::Occupied { path, found }),
        }
    }

    /// The branch is there afterwards.
    async fn ensure_branch(&self, branch: &WorktreeBranch) -> Result<(), WorktreeAddError> {
        let WorktreeBranchState::Missing { base } = self.load_branch_state(branch).await? else {
            return Ok(());
        };
        let exists = self.has_commit(&base).await;
        Ok(self.create_branch(branch.name(), &base, exists).await?)
    }

    /// How far a worktree's branch is; one that is there but elsewhere, or missing though it should be there, is refused.
    pub(crate) async fn load_branch_state(
        &self,
        branch: &WorktreeBranch,
    ) -> Result<WorktreeBranchState, WorktreeAddError> {
        let name = branch.name();
        match (branch, self.repo().tip(name).await?) {
            (WorktreeBranch::New { base, .. }, None) => {
                Ok(WorktreeBranchState::Missing { base: base.clone() })
            }
            // A killed call made the branch and nothing else.
            (WorktreeBranch::New { base, .. }, Some(tip)) if tip == *base => {
                Ok(WorktreeBranchState::At(tip))
            }
            (WorktreeBranch::New { .. }, Some(tip)) => {
                Err(WorktreeAddError::BranchExists { branch: name.clone(), tip })
            }
            (WorktreeBranch::Existing(_), Some(tip)) => Ok(WorktreeBranchState::At(tip)),
            (WorktreeBranch::Existing(_), None) => {
                Err(WorktreeAddError::BranchMissing(name.clone()))
            }
        }
    }
}

impl LockedRepo {
    /// Removes the lock file that a killed call left on a task's own branch, which no checkout has.
    pub(crate) async fn drop_branch_lock(&self, branch: &BranchName) -> Result<(), GitError> {
        self.drop_ref_lock(&branch.to_ref()).await
    }

    /// Removes the lock file that a killed call left on a reference of ours. Each git of ours that writes references
    /// keeps the repository's lock as long as it lives, so holding that lock proves that none is at it.
    pub(crate) async fn drop_ref_lock(&self, name: &RefName) -> Result<(), GitError> {
        let path = self.repo().common_dir().join(format!("{name}.lock"));
        match std::fs::remove_file(&path) {
            Err(error)
                if error.kind() != ErrorKind::NotFound
                    && error.kind() != ErrorKind::NotADirectory =>
            {
                Err(GitError::file("removed", &path)(error))
            }
            _ => Ok(()),
        }
    }
}

impl Worktree {
    async fn is_on_its_branch(&self) -> Result<bool, GitError> {
        let outcome = GitCommand::read_worktree(self, "symbolic-ref")
            .args(["--quiet", "HEAD"])
            .output()
            .await?;
        let wanted = self.branch().to_ref();
        Ok(outcome.code() == Some(0)
            && outcome.stdout().trim_ascii_end() == wanted.as_str().as_bytes())
    }
}

impl LockedWorktree {
    /// Checks the files out unless that was done. The index appears last, and then our marker; before the marker no
    /// agent was here, so starting over loses nothing.
    pub(crate) async fn check_out(&self) -> Result<(), GitError> {
        let turn = self.workspace_lock().lock_writes().await;
        if self.record().is_checked_out()? {
            return Ok(());
        }
        self.drop_lock_files().await?;
        if let Some(tip) = self.repo().tip(self.branch()).await? {
            let kept = (turn, self.clone());
            match files::check_out_files(self.location(), tip, CheckoutPriority::Foreground, kept)
                .await
            {
                Ok(()) => return Ok(()),
                Err(reason) => tracing::debug!(%reason, "git checks the files out"),
            }
        }
        GitCommand::check_out(self)
            .args(["--reset", "-u", "HEAD"])
            .deadline(CHECKOUT_DEADLINE)
            .run()
            .await?;
        self.record().set_checked_out()
    }
}

enum DirectoryContent {
    Absent,
    /// Empty, or nothing but the `.git` file that git writes and the sign of our own lock.
    GitFileOnly,
    Files(String),
}

fn read_directory_content(path: &Path) -> Result<DirectoryContent, GitError> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(DirectoryContent::Absent),
        Err(error) => return Err(GitError::file("read", path)(error)),
        Ok(found) if !found.is_dir() => {
            return Ok(DirectoryContent::Files("it is no directory".to_owned()));
        }
        Ok(_) => {}
    }
    for entry in std::fs::read_dir(path).map_err(GitError::file("read", path))? {
        let entry = entry.map_err(GitError::file("read", path))?;
        let plain = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !(plain && (entry.file_name() == ".git" || entry.file_name() == LOCK_FILE)) {
            return Ok(DirectoryContent::Files(format!("it holds {:?}", entry.file_name())));
        }
    }
    Ok(DirectoryContent::GitFileOnly)
}
