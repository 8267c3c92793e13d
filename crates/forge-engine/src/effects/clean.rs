//! Removes a task's worktree (W-7). What is in it and nowhere else is saved first (P-1).

use super::perform::Step;
use super::site::{branch_of, directory_of};
use super::{Failure, Outcome};
use crate::commit::Closing;
use forge_domain::Report;
use forge_domain::task::{Workspace, WorkspaceStatus};
use forge_git::{Corruption, HeldWorktree, RefName, Repo, VerifyError, WorkspaceHold};

const PATIENCE_SECONDS: u64 = 300;

impl Step<'_> {
    pub(super) async fn clean_workspace(&self, retire_branch: bool) -> Result<Outcome, Failure> {
        match self.clean(retire_branch).await {
            Ok(report) => Ok(Outcome::Report(report)),
            Err(Failure::Overtaken) => Err(Failure::Overtaken),
            Err(
                Failure::Passing(error)
                | Failure::Waits { error, .. }
                | Failure::Final { message: error, .. },
            ) => {
                let report = Report::CleaningFailed { error: error.clone() };
                Ok(Outcome::TryAgain { report, error, patience_seconds: PATIENCE_SECONDS })
            }
        }
    }

    /// Whoever asked is told as soon as the directory is out of the way; saving what was in it can take longer.
    async fn clean(&self, retire_branch: bool) -> Result<Report, Failure> {
        if let Some(workspace) = self.on_disk() {
            let repo = self.engine.repo_of(&self.task).await?;
            if self.set_aside(&repo, workspace).await? {
                self.reach("clean.aside").await?;
                let report = Report::WorkspaceSetAside;
                self.engine.report(self.row, self.claimed, report, Closing::StaysOpen).await?;
                self.reach("clean.told").await?;
                return forge_proc::unhurried(self.remove(retire_branch)).await;
            }
        }
        self.remove(retire_branch).await
    }

    pub(super) async fn remove(&self, retire_branch: bool) -> Result<Report, Failure> {
        let Some(workspace) = self.task.workspace.as_ref() else {
            return Ok(Report::WorkspaceCleaned { branch_deleted: false, warnings: Vec::new() });
        };
        let repo = self.engine.repo_of(&self.task).await?;
        let mut warnings = Vec::new();
        let mut found = false;
        // One may have left before and not been dealt with; then this one's turn comes after it.
        while self.left(&repo, workspace).await? {
            self.dispose(&repo, workspace, &mut warnings).await?;
            found = true;
        }
        if !found {
            self.forget_left(&repo, workspace).await?;
        }
        if self.on_disk().is_some() {
            self.forget(&repo, workspace).await?;
        }
        self.reach("clean.removed").await?;
        let branch_deleted = retire_branch && self.retire(&repo, workspace).await?;
        Ok(Report::WorkspaceCleaned { branch_deleted, warnings })
    }

    /// The workspace, if the records say that its directory is in its place.
    fn on_disk(&self) -> Option<&Workspace> {
        self.task.workspace.as_ref().filter(|known| known.status != WorkspaceStatus::Cleaned)
    }

    /// Whether something of the workspace has left its place; what is still there leaves now.
    async fn left(&self, repo: &Repo, workspace: &Workspace) -> Result<bool, Failure> {
        if self.on_disk().is_some() {
            return self.set_aside(repo, workspace).await;
        }
        let place = self.engine.0.root.leaving().directory(&directory_of(workspace)?);
        Ok(place.symlink_metadata().is_ok())
    }

    async fn set_aside(&self, repo: &Repo, workspace: &Workspace) -> Result<bool, Failure> {
        let hold = self.hold(&directory_of(workspace)?).await?;
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        Ok(locked.set_leaving(&hold).await?)
    }

    /// Deals with what left: saves it, and takes it away.
    async fn dispose(
        &self,
        repo: &Repo,
        workspace: &Workspace,
        warnings: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let branch = branch_of(workspace)?;
        let inner = &self.engine.0;
        let hold = self.hold_in(&inner.root.leaving(), &directory_of(workspace)?).await?;
        let worktree = hold.worktree(repo, &branch).await?;
        let found = match &worktree {
            Some(worktree) if worktree.path().exists() => worktree.verify().await,
            _ => Err(Corruption::NotADirectory(hold.path()).into()),
        };
        let trouble = match (&found, &worktree) {
            (Ok(_), Some(worktree)) => match worktree.nested_repositories().await? {
                nested if nested.is_empty() => None,
                // Their commits are nowhere else (P-1).
                nested => Some(nested.join(", ")),
            },
            (Ok(_), None) => None,
            (Err(VerifyError::Corrupt(corruption)), _) => Some(corruption.to_string()),
            (Err(VerifyError::Git(_)), _) => None,
        };
        if let Err(VerifyError::Git(error)) = found {
            return Err(error.into());
        }
        // Nobody knows what is in one that is not as it should be (P-1): it is saved as far as it can be read.
        self.save(repo, &hold, &branch).await?;
        self.reach("clean.saved").await?;
        match (trouble, worktree) {
            (None, Some(worktree)) => self.take_away(repo, &hold, &worktree).await,
            (trouble, _) => {
                let locked = inner.repo_locks.acquire(repo).await?;
                let aside = locked.set_worktree_aside(&hold).await?;
                let place = aside.map(|path| format!("; its files are in {}", path.display()));
                warnings.extend(
                    trouble.map(|trouble| format!("{trouble}{}", place.unwrap_or_default())),
                );
                Ok(())
            }
        }
    }

    /// Back into the pool if there is room, else out of the way; either way the files are dealt with later (W-15).
    async fn take_away(
        &self,
        repo: &Repo,
        hold: &WorkspaceHold,
        worktree: &HeldWorktree,
    ) -> Result<(), Failure> {
        let pool = self.engine.pool_of(repo, &self.project)?;
        let pool = pool.filter(|pool| pool.len() < self.engine.0.limits.pool.size);
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        if let Some(pool) = pool
            && locked.recycle_worktree(&pool, worktree).await?
        {
            self.engine.tend_pool(self.task.repo_id);
        } else {
            locked.remove_worktree(hold).await?;
            self.engine.tend_trash();
        }
        Ok(())
    }

    /// Nothing is in its place any more; git's record of it goes too.
    async fn forget(&self, repo: &Repo, workspace: &Workspace) -> Result<(), Failure> {
        let hold = self.hold(&directory_of(workspace)?).await?;
        self.save(repo, &hold, &branch_of(workspace)?).await?;
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        locked.remove_worktree(&hold).await?;
        Ok(())
    }

    /// Whoever was killed right after it took away what left has not told git.
    async fn forget_left(&self, repo: &Repo, workspace: &Workspace) -> Result<(), Failure> {
        let inner = &self.engine.0;
        let hold = self.hold_in(&inner.root.leaving(), &directory_of(workspace)?).await?;
        let locked = inner.repo_locks.acquire(repo).await?;
        locked.remove_worktree(&hold).await?;
        Ok(())
    }

    /// The branch is done with: its commits move to the archive, its name becomes free. True once it is not there.
    async fn retire(&self, repo: &Repo, workspace: &Workspace) -> Result<bool, Failure> {
        let branch = branch_of(workspace)?;
        let Some(tip) = repo.tip(&branch).await? else { return Ok(true) };
        let name = format!("refs/forge/archive/{}/{}/{branch}", self.task.id, self.row.id);
        let archive = RefName::new(name).map_err(|error| Failure::workspace(error.to_string()))?;
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        locked.keep(&archive, &tip).await?;
        self.reach("clean.archived").await?;
        locked.delete_branch(&branch, &tip).await?;
        Ok(true)
    }
}
