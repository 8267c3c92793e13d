use std::path::Path;
use std::time::Duration;

use crate::command::Command;
use crate::error::GitError;
use crate::files::{self, Pace};
use crate::hold::{WorkspaceHold, WorkspaceLocks, hide_lock_file};
use crate::include::Included;
use crate::include_list::{IncludeError, IncludeList};
use crate::lock::{LockedRepo, RepoLocks};
use crate::object_id::ObjectId;
use crate::pool::Pool;
use crate::record::{Head, Record};
use crate::ref_name::BranchName;
use crate::repo::Repo;
use crate::root::{DirectoryName, TRIAL, WorkspaceRoot};
use crate::survey::Survey;
use crate::worktree::HeldWorktree;

const CHECKOUT_DEADLINE: Duration = Duration::from_secs(1800);

/// A worktree on no branch, with the files of a commit that nobody's branch has yet: what landing would give (M-6). It
/// is there for checks only; nothing in it is anybody's work, so it is taken away whatever they left in it.
#[derive(Debug)]
pub struct Trial {
    // What else a worktree can do is not for a trial.
    place: HeldWorktree,
}

impl Repo {
    /// Lays a commit out in the held directory, taking a worktree that waits in the pool where there is one. What an
    /// earlier trial of this name left is gone first. `label` is the branch that programs in it are told about.
    pub async fn open_trial(
        &self,
        locks: &RepoLocks,
        hold: &WorkspaceHold,
        pool: Option<&Pool>,
        commit: &ObjectId,
        label: &BranchName,
    ) -> Result<Trial, GitError> {
        let opened = self.try_to_open(locks, hold, pool, commit, label).await;
        if opened.is_err() {
            // Half a trial is in everybody's way, above all where the disk is full.
            match locks.acquire(self).await {
                Ok(locked) => locked.drop_trial(hold.root(), &hold.path()).await?,
                // The repository went away under it; what it knows of the trial goes when it is back.
                Err(_) => drop(hold.root().move_to_trash(&hold.path())?),
            }
        }
        opened
    }

    async fn try_to_open(
        &self,
        locks: &RepoLocks,
        hold: &WorkspaceHold,
        pool: Option<&Pool>,
        commit: &ObjectId,
        label: &BranchName,
    ) -> Result<Trial, GitError> {
        let (record, from) = {
            let locked = locks.acquire(self).await?;
            hide_lock_file(&locked)?;
            locked.drop_trial(hold.root(), &hold.path()).await?;
            locked.place_trial(hold, pool, commit).await?
        };
        hold.show()?;
        let trial = Trial { place: hold.around(self, record, label) };
        trial.fill(from, commit).await?;
        Ok(trial)
    }
}

impl LockedRepo {
    /// The record, and the commit whose files are there already if they came from the pool.
    async fn place_trial(
        &self,
        hold: &WorkspaceHold,
        pool: Option<&Pool>,
        commit: &ObjectId,
    ) -> Result<(Record, Option<ObjectId>), GitError> {
        let path = hold.path();
        let checkouts = match pool {
            Some(_) => self.repo().checkouts().await?,
            None => Vec::new(),
        };
        let chosen = pool.and_then(|pool| pool.choose(&checkouts, commit));
        let Some((member, from)) = chosen else {
            let head = Head::At(commit.clone());
            let record = Record::make(self, &path, hold.name().as_str(), &head, None).await?;
            return Ok((record, None));
        };
        member.clear_ready()?;
        let record = member.record();
        record.drop_history()?;
        record.detach_head(commit)?;
        // The record first: a directory that no record names yet would be in everybody's way.
        record.point_to(&path)?;
        let place = member.path();
        std::fs::rename(&place, &path).map_err(GitError::file("moved", &place))?;
        Ok((record.clone(), Some(from)))
    }

    /// Nobody's work is in it, so it need not be looked at.
    async fn drop_trial(&self, root: &WorkspaceRoot, path: &Path) -> Result<(), GitError> {
        root.move_to_trash(path)?;
        match Record::find(self.repo(), path).await? {
            Some(record) => record.forget().await,
            None => Ok(()),
        }
    }
}

impl Trial {
    /// Its directory.
    pub fn path(&self) -> &Path {
        self.place.path()
    }

    /// The branch that programs in it are told about.
    pub fn label(&self) -> &BranchName {
        self.place.branch()
    }

    /// The list of ignored files that it gets from the person's checkout (W-13).
    pub async fn include_list(&self, base: &ObjectId) -> Result<Option<IncludeList>, IncludeError> {
        self.place.include_list(base).await
    }

    /// Copies what the list names.
    pub async fn include(
        &self,
        list: &IncludeList,
        stopped: impl Fn() -> bool + Send + 'static,
    ) -> Result<Included, IncludeError> {
        self.place.include(list, stopped).await
    }

    async fn fill(&self, from: Option<ObjectId>, commit: &ObjectId) -> Result<(), GitError> {
        let (spot, to) = (self.place.spot(), commit.clone());
        let kept = (self.place.hold().turn_to_write().await, self.place.clone());
        let filled = match &from {
            Some(from) if from == commit => Ok(()),
            Some(from) => files::bring_forward(spot, from.clone(), to, Pace::Hurried, kept).await,
            None => files::lay_out(spot, to, Pace::Hurried, kept).await,
        };
        if let Err(reason) = filled {
            tracing::debug!(%reason, "git checks the files out");
            Command::check_out(&self.place)
                .args(["--reset", "-u"])
                .arg(commit.as_str())
                .deadline(CHECKOUT_DEADLINE)
                .run()
                .await
                .map_err(|error| error.after(&reason))?;
            self.place.record().set_checked_out()?;
        }
        Ok(())
    }

    /// Takes it away: back into the pool, whose next tending makes it clean, or to the trash.
    pub async fn close(self, locks: &RepoLocks, pool: Option<&Pool>) -> Result<(), GitError> {
        let (root, path) = (self.place.hold().root(), self.path().to_owned());
        let locked = match locks.acquire(self.place.repo()).await {
            Ok(locked) => locked,
            Err(error) => {
                // The repository went away under it; what it knows of the trial goes when it is back.
                root.move_to_trash(&path)?;
                return Err(error);
            }
        };
        let record = self.place.record();
        let Some(pool) = pool.filter(|_| !record.has_settings()) else {
            return locked.drop_trial(root, &path).await;
        };
        pool.make_directory().await?;
        let records = Survey::of(self.place.repo()).await?.written;
        let records: Vec<_> = records.into_iter().map(|listed| listed.path).collect();
        let place = pool.directory_of(pool.free_number(&records));
        // The directory first: what no record names is dropped.
        let moved = tokio::fs::rename(&path, &place).await;
        moved.map_err(GitError::file("moved", &path))?;
        record.point_to(&place)?;
        if let [keeper] = pool.keepers() {
            record.set_keeper(keeper)?;
        }
        Ok(())
    }
}

impl WorkspaceRoot {
    /// Takes away what trials of a dead process left of this repository: how many.
    pub async fn drop_trials(
        &self,
        repo: &Repo,
        repo_locks: &RepoLocks,
        workspace_locks: &WorkspaceLocks,
    ) -> Result<usize, GitError> {
        let locked = repo_locks.acquire(repo).await?;
        let mut dropped = 0;
        for listed in locked.survey(self).await?.written {
            let name = listed.path.file_name().and_then(|name| name.to_str());
            let id = name.and_then(|name| name.strip_prefix(TRIAL));
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

    /// Takes away what trials of a dead process left whose repositories cannot be asked any more: how many. Should one of
    /// them be back one day, [`WorkspaceRoot::drop_trials`] has it forget them.
    pub async fn drop_lost_trials(
        &self,
        workspace_locks: &WorkspaceLocks,
    ) -> Result<usize, GitError> {
        let entries =
            std::fs::read_dir(self.path()).map_err(GitError::file("read", self.path()))?;
        let mut dropped = 0;
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(id) = name.to_str().and_then(|name| name.strip_prefix(TRIAL)) else {
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
