//! Removes a task's worktree (W-7). What is in it and nowhere else is saved first (P-1).

use super::perform::Step;
use super::site::{branch_of, directory_of};
use super::{Failure, Outcome};
use forge_domain::Report;
use forge_domain::task::{Workspace, WorkspaceStatus};
use forge_git::{Corruption, HeldWorktree, RefName, Repo, VerifyError, WorkspaceHold};

const PATIENCE_SECONDS: u64 = 300;

impl Step<'_> {
    pub(super) async fn clean_workspace(&self, retire_branch: bool) -> Result<Outcome, Failure> {
        match self.remove(retire_branch).await {
            Ok(report) => Ok(Outcome::Report(report)),
            Err(Failure::Overtaken) => Err(Failure::Overtaken),
            Err(Failure::Passing(error) | Failure::Final { message: error, .. }) => {
                let report = Report::CleaningFailed { error: error.clone() };
                Ok(Outcome::TryAgain { report, error, patience_seconds: PATIENCE_SECONDS })
            }
        }
    }

    pub(super) async fn remove(&self, retire_branch: bool) -> Result<Report, Failure> {
        let Some(workspace) = self.task.workspace.as_ref() else {
            return Ok(Report::WorkspaceCleaned { branch_deleted: false, warnings: Vec::new() });
        };
        let repo = self.engine.repo_of(&self.task).await?;
        let mut warnings = Vec::new();
        if workspace.status != WorkspaceStatus::Cleaned {
            self.remove_directory(&repo, workspace, &mut warnings).await?;
        }
        self.reach("clean.removed").await?;
        let branch_deleted = retire_branch && self.retire(&repo, workspace).await?;
        Ok(Report::WorkspaceCleaned { branch_deleted, warnings })
    }

    async fn remove_directory(
        &self,
        repo: &Repo,
        workspace: &Workspace,
        warnings: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let hold = self.hold(&directory_of(workspace)?).await?;
        let worktree = hold.worktree(repo, &branch_of(workspace)?).await?;
        let path = hold.path();
        let found = match &worktree {
            Some(worktree) if worktree.path().exists() => worktree.verify().await,
            _ if path.symlink_metadata().is_ok() => Err(Corruption::NotADirectory(path).into()),
            _ => return self.forget(repo, workspace, &hold).await,
        };
        let nested = match (&found, &worktree) {
            (Ok(_), Some(worktree)) => worktree.nested_repositories().await?,
            _ => Vec::new(),
        };
        match (found, worktree) {
            (Ok(_), Some(_)) if !nested.is_empty() => {
                // Their commits are nowhere else (P-1).
                self.save(repo, workspace).await?;
                let locked = self.engine.0.repo_locks.acquire(repo).await?;
                let aside = locked.set_worktree_aside(&hold).await?;
                let place = aside.map_or_else(String::new, |path| path.display().to_string());
                warnings.push(format!("{} kept in {place}", nested.join(", ")));
                Ok(())
            }
            (Ok(_), Some(worktree)) => {
                self.save(repo, workspace).await?;
                self.reach("clean.saved").await?;
                self.take_away(repo, &hold, &worktree).await
            }
            (Err(VerifyError::Git(error)), _) => Err(error.into()),
            (Err(VerifyError::Corrupt(corruption)), _) => {
                // Nobody knows what is in it any more (P-1): it is saved as far as it can be read, and its files are
                // set aside.
                self.save(repo, workspace).await?;
                self.reach("clean.saved").await?;
                let locked = self.engine.0.repo_locks.acquire(repo).await?;
                let aside = locked.set_worktree_aside(&hold).await?;
                let place = aside.map(|path| format!("; its files are in {}", path.display()));
                warnings.push(format!("{corruption}{}", place.unwrap_or_default()));
                Ok(())
            }
            (Ok(_), None) => Ok(()),
        }
    }

    /// Back into the pool if there is room, else out of the way; either way the files are dealt with later (W-15).
    async fn take_away(
        &self,
        repo: &Repo,
        hold: &WorkspaceHold,
        worktree: &HeldWorktree,
    ) -> Result<(), Failure> {
        let pool = self.engine.pool_of(repo, self.task.project_id).await?;
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

    /// The directory is gone already; git's record of it goes too.
    async fn forget(
        &self,
        repo: &Repo,
        workspace: &Workspace,
        hold: &WorkspaceHold,
    ) -> Result<(), Failure> {
        self.save(repo, workspace).await?;
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        locked.remove_worktree(hold).await?;
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
