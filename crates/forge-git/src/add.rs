use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checkout::Checkout;
use crate::command::Command;
use crate::error::GitError;
use crate::files::{self, Draft, Pace};
use crate::hold::{LOCK_FILE, WorkspaceHold, hide_lock_file};
use crate::lock::{LockedRepo, RepoLocks};
use crate::object_id::ObjectId;
use crate::record::{Head, Record};
use crate::ref_file;
use crate::ref_name::{BranchName, RefName};
use crate::repo::Repo;
use crate::root::delete;
use crate::survey::Survey;
use crate::worktree::{HeldWorktree, Worktree};

const CHECKOUT_DEADLINE: Duration = Duration::from_secs(1800);

/// Which branch a new worktree is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorktreeBranch {
    /// One that is made here, at this commit.
    New {
        /// Its name.
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

    /// Where it is to start, if it is made here.
    fn base(&self) -> Option<&ObjectId> {
        match self {
            Self::New { base, .. } => Some(base),
            Self::Existing(_) => None,
        }
    }
}

/// How far the branch of a worktree to be made is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Begun {
    /// It is at this commit.
    At(ObjectId),
    /// It is to be made here.
    Not { base: ObjectId },
}

impl Begun {
    /// The commit whose files the worktree is to have.
    pub(crate) fn commit(&self) -> &ObjectId {
        match self {
            Self::At(commit) | Self::Not { base: commit } => commit,
        }
    }
}

/// Why a worktree was not made. Nothing that was there is changed.
#[derive(Debug, thiserror::Error)]
pub enum AddError {
    /// The branch is in use elsewhere (W-3).
    #[error("the branch {branch} is checked out at {}; finish or move that checkout first", path.display())]
    CheckedOut {
        /// The branch.
        branch: BranchName,
        /// Where.
        path: PathBuf,
    },
    /// A new branch was asked for but there is one, elsewhere.
    #[error("the branch {branch} exists already at {tip}; choose another name")]
    BranchExists {
        /// The branch.
        branch: BranchName,
        /// Its commit.
        tip: ObjectId,
    },
    /// An existing branch was asked for but there is none.
    #[error("the branch {0} does not exist; reset the workspace to start anew")]
    BranchMissing(BranchName),
    /// The directory holds something that is not ours to overwrite.
    #[error("{} is in the way: {found}; move it elsewhere", path.display())]
    Occupied {
        /// The directory.
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
        hold: &WorkspaceHold,
        branch: &WorktreeBranch,
    ) -> Result<HeldWorktree, AddError> {
        self.add_drafted_worktree(locks, hold, branch, None).await
    }

    /// The same of files that were begun before, if they are those of the branch's base.
    pub async fn add_drafted_worktree(
        &self,
        locks: &RepoLocks,
        hold: &WorkspaceHold,
        branch: &WorktreeBranch,
        draft: Option<Draft>,
    ) -> Result<HeldWorktree, AddError> {
        let draft = match branch.base() {
            // Other storages of references are git's alone, and it wants to make the directory itself.
            Some(base) if ref_file::are_files(self.common_dir()) => {
                let draft = draft.filter(|draft| draft.commit() == base);
                Some(draft.unwrap_or_else(|| Draft::begin(self, hold.root(), base.clone())))
            }
            _ => None,
        };
        let (worktree, draft) = {
            let locked = locks.acquire(self).await?;
            hide_lock_file(&locked)?;
            locked.register_worktree(hold, branch, draft).await?
        };
        hold.show()?;
        worktree.check_out(draft).await?;
        Ok(worktree)
    }
}

impl LockedRepo {
    /// The worktree, and the draft if its directory has become the worktree's.
    async fn register_worktree(
        &self,
        hold: &WorkspaceHold,
        branch: &WorktreeBranch,
        mut draft: Option<Draft>,
    ) -> Result<(HeldWorktree, Option<Draft>), AddError> {
        let mut records = self.survey(hold.root()).await?;
        self.check_free(&records, hold, branch).await?;
        if let Some(worktree) = self.resume(&mut records, hold, branch).await? {
            return Ok((worktree, None));
        }
        self.ensure_branch(branch, draft.as_mut()).await?;
        let prepared = match &mut draft {
            Some(draft) => draft.give_to(hold).await,
            None => None,
        };
        let draft = draft.filter(|_| prepared.is_some());
        let (name, head) = (hold.name().as_str(), Head::On(branch.name().clone()));
        let record = Record::make(self, &hold.path(), name, &head, prepared).await?;
        Ok((hold.around(self.repo(), record, branch.name()), draft))
    }

    /// The checkouts there are, none of which has the branch or the workspace root in it.
    pub(crate) async fn check_free(
        &self,
        records: &Survey,
        hold: &WorkspaceHold,
        branch: &WorktreeBranch,
    ) -> Result<Vec<Checkout>, AddError> {
        let (root, path) = (hold.root(), hold.path());
        let checkouts = self.repo().checkouts_among(&records.written).await?;
        for checkout in &checkouts {
            if root.path().starts_with(checkout.path()) {
                return Err(AddError::RootInsideCheckout {
                    root: root.path().to_owned(),
                    checkout: checkout.path().to_owned(),
                });
            }
            if checkout.branch() != Some(branch.name()) || checkout.path() == path {
                continue;
            }
            // A worktree on its way out of the pool, whose taker was killed: the repository's lock is ours now.
            if checkout.path().starts_with(root.pool())
                && let Some(tip) = self.repo().tip(branch.name()).await?
            {
                Record::at(checkout.git_dir()).detach_head(&tip)?;
                continue;
            }
            return Err(AddError::CheckedOut {
                branch: branch.name().clone(),
                path: checkout.path().to_owned(),
            });
        }
        Ok(checkouts)
    }

    /// What an earlier call left: a registered worktree, or nothing after its half-made parts are gone.
    async fn resume(
        &self,
        records: &mut Survey,
        hold: &WorkspaceHold,
        branch: &WorktreeBranch,
    ) -> Result<Option<HeldWorktree>, AddError> {
        let path = hold.path();
        let content = content_of(&path)?;
        let Some(record) = records.record_of(&path).cloned() else {
            records.drop_unfinished(self, hold.name()).await?;
            return match content {
                Content::Nothing => Ok(None),
                Content::Bare => {
                    delete(&path).await?;
                    Ok(None)
                }
                Content::Files(found) => Err(AddError::Occupied { path, found }),
            };
        };
        let worktree = hold.around(self.repo(), record.clone(), branch.name());
        let complete = record.is_complete() && worktree.git_file_problem().await.is_none();
        if complete && worktree.is_on_its_branch().await? {
            return Ok(Some(worktree));
        }
        match content {
            // The directory is gone (W-8), or git was killed before it put anything there.
            Content::Nothing | Content::Bare => {
                record.forget().await?;
                delete(&path).await?;
                Ok(None)
            }
            Content::Files(found) => Err(AddError::Occupied { path, found }),
        }
    }

    /// The branch is there afterwards.
    async fn ensure_branch(
        &self,
        branch: &WorktreeBranch,
        draft: Option<&mut Draft>,
    ) -> Result<(), AddError> {
        let Begun::Not { base } = self.begun(branch).await? else { return Ok(()) };
        let exists = match draft {
            Some(draft) => draft.has_found_commit().await,
            None => false,
        };
        Ok(self.create_branch(branch.name(), &base, exists).await?)
    }

    /// How far a worktree's branch is; one that is there but elsewhere, or missing though it should be there, is refused.
    pub(crate) async fn begun(&self, branch: &WorktreeBranch) -> Result<Begun, AddError> {
        let name = branch.name();
        match (branch, self.repo().tip(name).await?) {
            (WorktreeBranch::New { base, .. }, None) => Ok(Begun::Not { base: base.clone() }),
            // A killed call made the branch and nothing else.
            (WorktreeBranch::New { base, .. }, Some(tip)) if tip == *base => Ok(Begun::At(tip)),
            (WorktreeBranch::New { .. }, Some(tip)) => {
                Err(AddError::BranchExists { branch: name.clone(), tip })
            }
            (WorktreeBranch::Existing(_), Some(tip)) => Ok(Begun::At(tip)),
            (WorktreeBranch::Existing(_), None) => Err(AddError::BranchMissing(name.clone())),
        }
    }
}

impl LockedRepo {
    /// Removes the lock file that a killed call left on a task's own branch, which nobody has checked out.
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
        let outcome = Command::read_worktree(self, "symbolic-ref")
            .args(["--quiet", "HEAD"])
            .outcome()
            .await?;
        let wanted = self.branch().to_ref();
        Ok(outcome.code() == Some(0)
            && outcome.stdout().trim_ascii_end() == wanted.as_str().as_bytes())
    }
}

impl HeldWorktree {
    /// Checks the files out unless that was done. The index appears last, and then our marker; before the marker no
    /// agent was here, so starting over loses nothing.
    pub(crate) async fn check_out(&self, draft: Option<Draft>) -> Result<(), GitError> {
        if let Some(draft) = draft {
            match draft.finish(self.spot()).await {
                Ok(()) => return Ok(()),
                Err(reason) => tracing::debug!(%reason, "files were begun and not finished"),
            }
        }
        let turn = self.hold().turn_to_write().await;
        if self.record().is_checked_out()? {
            return Ok(());
        }
        self.drop_lock_files().await?;
        if let Some(tip) = self.repo().tip(self.branch()).await? {
            let kept = (turn, self.clone());
            match files::lay_out(self.spot(), tip, Pace::Hurried, kept).await {
                Ok(()) => return Ok(()),
                Err(reason) => tracing::debug!(%reason, "git checks the files out"),
            }
        }
        Command::check_out(self)
            .args(["--reset", "-u", "HEAD"])
            .deadline(CHECKOUT_DEADLINE)
            .run()
            .await?;
        self.record().set_checked_out()
    }
}

enum Content {
    Nothing,
    /// Empty, or nothing but the `.git` file that git writes and the sign of our own lock.
    Bare,
    Files(String),
}

fn content_of(path: &Path) -> Result<Content, GitError> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Content::Nothing),
        Err(error) => return Err(GitError::file("read", path)(error)),
        Ok(found) if !found.is_dir() => return Ok(Content::Files("it is no directory".to_owned())),
        Ok(_) => {}
    }
    for entry in std::fs::read_dir(path).map_err(GitError::file("read", path))? {
        let entry = entry.map_err(GitError::file("read", path))?;
        let plain = entry.file_type().is_ok_and(|kind| kind.is_file());
        if !(plain && (entry.file_name() == ".git" || entry.file_name() == LOCK_FILE)) {
            return Ok(Content::Files(format!("it holds {:?}", entry.file_name())));
        }
    }
    Ok(Content::Bare)
}
