use std::path::Path;
use std::time::Duration;

use crate::command::git_command::GitCommand;
use crate::command::git_error::GitError;
use crate::files;
use crate::files::CheckoutPriority;
use crate::pool::worktree_pool::WorktreePool;
use crate::refs::object_id::ObjectId;
use crate::refs::ref_name::BranchName;
use crate::repo::repo_lock::{LockedRepo, RepoLocks};
use crate::repo::repository::Repo;
use crate::worktree::include_files::IncludeOutcome;
use crate::worktree::include_list::{IncludeError, IncludeList};
use crate::worktree::workspace_lock::{WorkspaceLockGuard, WorkspaceLocks, exclude_lock_file};
use crate::worktree::workspace_root::{DirectoryName, TRIAL_PREFIX, WorkspaceRoot};
use crate::worktree::worktree_handle::LockedWorktree;
use crate::worktree::worktree_record::{WorktreeHead, WorktreeRecord};
use crate::worktree::worktree_records::WorktreeRecords;

const CHECKOUT_DEADLINE: Duration = Duration::from_secs(1800);

/// A detached worktree with the files of a commit that no branch contains yet: the result of a landing (M-6). It
/// exists only for checks. It never contains an agent's work, so it is removed whatever the checks left in it.
#[derive(Debug)]
pub struct TrialWorktree {
    // Private, because a trial must not offer other operations of a worktree.
    worktree: LockedWorktree,
}

impl Repo {
    /// Checks a commit out in the locked directory, with a pooled worktree if there is one. Removes what an earlier
    /// trial of this name left. `label` is the branch name that programs in it see.
    pub async fn open_trial(
        &self,
        locks: &RepoLocks,
        hold: &WorkspaceLockGuard,
        pool: Option<&WorktreePool>,
        commit: &ObjectId,
        label: &BranchName,
    ) -> Result<TrialWorktree, GitError> {
        let opened = self.open_trial_worktree(locks, hold, pool, commit, label).await;
        if opened.is_err() {
            // Remove the incomplete trial at once: it would block the next one, and the disk may be full.
            match locks.acquire(self).await {
                Ok(locked) => locked.drop_trial(hold.root(), &hold.path()).await?,
                // The repository is gone. Its record of the trial is removed when the repository is back.
                Err(_) => drop(hold.root().move_to_trash(&hold.path())?),
            }
        }
        opened
    }

    async fn open_trial_worktree(
        &self,
        locks: &RepoLocks,
        hold: &WorkspaceLockGuard,
        pool: Option<&WorktreePool>,
        commit: &ObjectId,
        label: &BranchName,
    ) -> Result<TrialWorktree, GitError> {
        let (record, from) = {
            let locked = locks.acquire(self).await?;
            exclude_lock_file(&locked)?;
            locked.drop_trial(hold.root(), &hold.path()).await?;
            locked.create_trial(hold, pool, commit).await?
        };
        hold.write_lock_file()?;
        let trial = TrialWorktree { worktree: hold.wrap_worktree(self, record, label) };
        trial.check_out(from, commit).await?;
        Ok(trial)
    }
}

impl LockedRepo {
    /// Creates the record. Returns it with the commit of the files that are there already, if they came from the
    /// pool.
    async fn create_trial(
        &self,
        hold: &WorkspaceLockGuard,
        pool: Option<&WorktreePool>,
        commit: &ObjectId,
    ) -> Result<(WorktreeRecord, Option<ObjectId>), GitError> {
        let path = hold.path();
        let checkouts = match pool {
            Some(_) => self.repo().checkouts().await?,
            None => Vec::new(),
        };
        let chosen = pool.and_then(|pool| pool.choose_ready(&checkouts, commit));
        let Some((member, from)) = chosen else {
            let head = WorktreeHead::Detached(commit.clone());
            let record = WorktreeRecord::create(self, &path, hold.name().as_str(), &head).await?;
            return Ok((record, None));
        };
        member.clear_ready()?;
        let record = member.record();
        record.remove_reflog()?;
        record.detach_head(commit)?;
        // Update the record first: a directory without a record would block later trials.
        record.set_worktree_path(&path)?;
        let place = member.path();
        std::fs::rename(&place, &path).map_err(GitError::file("moved", &place))?;
        Ok((record.clone(), Some(from)))
    }

    /// Removes a trial without a check, because it never contains an agent's work.
    async fn drop_trial(&self, root: &WorkspaceRoot, path: &Path) -> Result<(), GitError> {
        root.move_to_trash(path)?;
        match WorktreeRecord::find(self.repo(), path).await? {
            Some(record) => record.delete().await,
            None => Ok(()),
        }
    }
}

impl TrialWorktree {
    /// The trial's directory.
    pub fn path(&self) -> &Path {
        self.worktree.path()
    }

    /// The branch name that programs in it see.
    pub fn label(&self) -> &BranchName {
        self.worktree.branch()
    }

    /// The list of ignored files that it gets from the user's checkout (W-13).
    pub async fn include_list(&self, base: &ObjectId) -> Result<Option<IncludeList>, IncludeError> {
        self.worktree.include_list(base).await
    }

    /// Copies the files that the list selects.
    pub async fn include(
        &self,
        list: &IncludeList,
        stopped: impl Fn() -> bool + Send + 'static,
    ) -> Result<IncludeOutcome, IncludeError> {
        self.worktree.include(list, stopped).await
    }

    async fn check_out(&self, from: Option<ObjectId>, commit: &ObjectId) -> Result<(), GitError> {
        let (spot, to) = (self.worktree.location(), commit.clone());
        let kept = (self.worktree.workspace_lock().lock_writes().await, self.worktree.clone());
        let filled = match &from {
            Some(from) if from == commit => Ok(()),
            Some(from) => {
                files::update_checkout(spot, from.clone(), to, CheckoutPriority::Foreground, kept)
                    .await
            }
            None => files::check_out_files(spot, to, CheckoutPriority::Foreground, kept).await,
        };
        if let Err(reason) = filled {
            tracing::debug!(%reason, "checking out with git");
            GitCommand::check_out(&self.worktree)
                .args(["--reset", "-u"])
                .arg(commit.as_str())
                .deadline(CHECKOUT_DEADLINE)
                .run()
                .await
                .map_err(|error| error.with_cause(&reason))?;
            self.worktree.record().set_checked_out()?;
        }
        Ok(())
    }

    /// Removes the trial: returns it to the pool, whose next maintenance run cleans it, or moves it to the trash.
    pub async fn close(
        self,
        locks: &RepoLocks,
        pool: Option<&WorktreePool>,
    ) -> Result<(), GitError> {
        let (root, path) = (self.worktree.workspace_lock().root(), self.path().to_owned());
        let locked = match locks.acquire(self.worktree.repo()).await {
            Ok(locked) => locked,
            Err(error) => {
                // The repository is gone. Its record of the trial is removed when the repository is back.
                root.move_to_trash(&path)?;
                return Err(error);
            }
        };
        let record = self.worktree.record();
        let Some(pool) = pool.filter(|_| !record.has_settings()) else {
            return locked.drop_trial(root, &path).await;
        };
        pool.make_directory().await?;
        let records = WorktreeRecords::load(self.worktree.repo()).await?.complete;
        let records: Vec<_> = records.into_iter().map(|listed| listed.path).collect();
        let place = pool.directory_of(pool.free_number(&records));
        // Move the directory first: maintenance drops a directory that no record names.
        let moved = tokio::fs::rename(&path, &place).await;
        moved.map_err(GitError::file("moved", &path))?;
        record.set_worktree_path(&place)?;
        if let [keeper] = pool.ignored_files_owners() {
            record.set_ignored_files_owner(keeper)?;
        }
        Ok(())
    }
}

impl WorkspaceRoot {
    /// Removes the trials that a dead process left in this repository, and returns how many.
    pub async fn drop_trials(
        &self,
        repo: &Repo,
        repo_locks: &RepoLocks,
        workspace_locks: &WorkspaceLocks,
    ) -> Result<usize, GitError> {
        let locked = repo_locks.acquire(repo).await?;
        let mut dropped = 0;
        for listed in locked.load_clean_records(self).await?.complete {
            let name = listed.path.file_name().and_then(|name| name.to_str());
            let id = name.and_then(|name| name.strip_prefix(TRIAL_PREFIX));
            let Some(id) = id.filter(|_| listed.path.parent() == Some(self.path())) else {
                continue;
            };
            if workspace_locks.holder(&DirectoryName::trial(id)).is_none() {
                locked.drop_trial(self, &listed.path).await?;
                dropped += 1;
            }
        }
        Ok(dropped)
    }

    /// Removes the trials that a dead process left and whose repositories cannot be opened any more, and returns how
    /// many. If a repository comes back, [`WorkspaceRoot::drop_trials`] removes its records.
    pub async fn drop_lost_trials(
        &self,
        workspace_locks: &WorkspaceLocks,
    ) -> Result<usize, GitError> {
        let entries =
            std::fs::read_dir(self.path()).map_err(GitError::file("read", self.path()))?;
        let mut dropped = 0;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(id) = name.to_str().and_then(|name| name.strip_prefix(TRIAL_PREFIX)) else {
                continue;
            };
            if workspace_locks.holder(&DirectoryName::trial(id)).is_none() {
                self.move_to_trash(&entry.path())?;
                dropped += 1;
            }
        }
        Ok(dropped)
    }
}
