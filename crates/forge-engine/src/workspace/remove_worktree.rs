//! Removes a task's worktree (W-7). Content that exists only there is saved first (P-1).

use crate::command::commit::EffectEnd;
use crate::effects::effect_run::EffectRun;
use crate::effects::{EffectError, EffectOutcome};
use crate::workspace::locate::{branch_of, directory_of};
use forge_domain::EffectReport;
use forge_domain::task::{Workspace, WorkspaceStatus};
use forge_git::{
    LockedWorktree, RefName, Repo, WorkspaceLockGuard, WorktreeCorruption, WorktreeVerifyError,
};

const PATIENCE_SECONDS: u64 = 300;

impl EffectRun<'_> {
    pub(crate) async fn clean_workspace(
        &self,
        retire_branch: bool,
    ) -> Result<EffectOutcome, EffectError> {
        match self.stage_and_remove(retire_branch).await {
            Ok(report) => Ok(EffectOutcome::Report(report)),
            Err(EffectError::LeaseLost) => Err(EffectError::LeaseLost),
            Err(
                EffectError::Transient(error)
                | EffectError::Waiting { error, .. }
                | EffectError::NeedsPerson { message: error, .. },
            ) => {
                let report = EffectReport::CleaningFailed { error: error.clone() };
                Ok(EffectOutcome::Retry { report, error, patience_seconds: PATIENCE_SECONDS })
            }
        }
    }

    /// Reports as soon as the directory is staged for removal, because saving its content can take longer.
    async fn stage_and_remove(&self, retire_branch: bool) -> Result<EffectReport, EffectError> {
        if let Some(workspace) = self.on_disk() {
            let repo = self.engine.open_task_repo(&self.task).await?;
            if self.stage_removal(&repo, workspace).await? {
                self.pass_fault_point("clean.aside").await?;
                let report = EffectReport::WorkspaceSetAside;
                self.engine.report(self.row, self.lease, report, EffectEnd::NotYet).await?;
                self.pass_fault_point("clean.told").await?;
                return forge_proc::run_in_background(self.finish_removal(retire_branch)).await;
            }
        }
        self.finish_removal(retire_branch).await
    }

    pub(crate) async fn finish_removal(
        &self,
        retire_branch: bool,
    ) -> Result<EffectReport, EffectError> {
        let Some(workspace) = self.task.workspace.as_ref() else {
            return Ok(EffectReport::WorkspaceCleaned {
                branch_deleted: false,
                warnings: Vec::new(),
            });
        };
        let repo = self.engine.open_task_repo(&self.task).await?;
        let mut warnings = Vec::new();
        let mut found = false;
        // An earlier removal may still be pending; finish it before this one.
        while self.is_staged(&repo, workspace).await? {
            self.save_and_delete_staged(&repo, workspace, &mut warnings).await?;
            found = true;
        }
        if !found {
            self.drop_staged_record(&repo, workspace).await?;
        }
        if self.on_disk().is_some() {
            self.drop_worktree_record(&repo, workspace).await?;
        }
        self.pass_fault_point("clean.removed").await?;
        let branch_deleted = retire_branch && self.archive_branch(&repo, workspace).await?;
        Ok(EffectReport::WorkspaceCleaned { branch_deleted, warnings })
    }

    /// The workspace, if the database says that its directory exists.
    fn on_disk(&self) -> Option<&Workspace> {
        self.task.workspace.as_ref().filter(|known| known.status != WorkspaceStatus::Cleaned)
    }

    /// Whether a staged removal exists; stages the worktree if it is still in place.
    async fn is_staged(&self, repo: &Repo, workspace: &Workspace) -> Result<bool, EffectError> {
        if self.on_disk().is_some() {
            return self.stage_removal(repo, workspace).await;
        }
        let place = self.engine.0.root.staged_removals().directory(&directory_of(workspace)?);
        Ok(place.symlink_metadata().is_ok())
    }

    async fn stage_removal(&self, repo: &Repo, workspace: &Workspace) -> Result<bool, EffectError> {
        let hold = self.lock_workspace(&directory_of(workspace)?).await?;
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        Ok(locked.stage_removal(&hold).await?)
    }

    /// Finishes a staged removal: saves the content and deletes the worktree.
    async fn save_and_delete_staged(
        &self,
        repo: &Repo,
        workspace: &Workspace,
        warnings: &mut Vec<String>,
    ) -> Result<(), EffectError> {
        let branch = branch_of(workspace)?;
        let inner = &self.engine.0;
        let hold = self
            .lock_workspace_in(&inner.root.staged_removals(), &directory_of(workspace)?)
            .await?;
        let worktree = hold.worktree(repo, &branch).await?;
        let found = match &worktree {
            Some(worktree) if worktree.path().exists() => worktree.verify().await,
            _ => Err(WorktreeCorruption::NotADirectory(hold.path()).into()),
        };
        // Git cannot read special files (W-18), so they cannot be saved; keep the directory (P-1).
        let special = match (&found, &worktree) {
            (Ok(_), Some(worktree)) => worktree.load_special_files().await?,
            _ => Vec::new(),
        };
        let trouble = match (&found, &worktree) {
            (Ok(_), Some(worktree)) if !special.is_empty() => {
                let path = worktree.path().display();
                Some(format!("{} in {path} is a FIFO, socket or device", special.join(", ")))
            }
            (Ok(_), Some(worktree)) => match worktree.nested_repositories().await? {
                nested if nested.is_empty() => None,
                // Commits of nested repositories exist only here; keep the directory (P-1).
                nested => Some(nested.join(", ")),
            },
            (Ok(_), None) => None,
            (Err(WorktreeVerifyError::Corrupt(corruption)), _) => Some(corruption.to_string()),
            (Err(WorktreeVerifyError::Git(_)), _) => None,
        };
        if let Err(WorktreeVerifyError::Git(error)) = found {
            return Err(error.into());
        }
        // The content of a corrupted worktree is unknown (P-1); save as much of it as can be read.
        if special.is_empty() {
            self.journal_before_removal(repo, &hold, &branch).await?;
        }
        self.pass_fault_point("clean.saved").await?;
        match (trouble, worktree) {
            (None, Some(worktree)) => self.recycle_or_trash(repo, &hold, &worktree).await,
            (trouble, _) => {
                let locked = inner.repo_locks.acquire(repo).await?;
                let aside = locked.keep_worktree_files(&hold).await?;
                let place = aside.map(|path| format!("; its files are in {}", path.display()));
                warnings.extend(
                    trouble.map(|trouble| format!("{trouble}{}", place.unwrap_or_default())),
                );
                Ok(())
            }
        }
    }

    /// Returns the worktree to the pool if there is room, else moves it to the trash. Both process the files later
    /// (W-15).
    async fn recycle_or_trash(
        &self,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
        worktree: &LockedWorktree,
    ) -> Result<(), EffectError> {
        let pool = self.engine.open_pool(repo, &self.project)?;
        let pool = pool.filter(|pool| pool.len() < self.engine.pool_target(repo, usize::MAX));
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        if let Some(pool) = pool
            && locked.recycle_worktree(&pool, worktree).await?
        {
            self.engine.maintain_pool(self.task.repo_id);
        } else {
            locked.remove_worktree(hold).await?;
            self.engine.start_emptying_trash();
        }
        Ok(())
    }

    /// Removes git's record of a worktree whose directory is gone.
    async fn drop_worktree_record(
        &self,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<(), EffectError> {
        let hold = self.lock_workspace(&directory_of(workspace)?).await?;
        self.journal_before_removal(repo, &hold, &branch_of(workspace)?).await?;
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        locked.remove_worktree(&hold).await?;
        Ok(())
    }

    /// A process killed right after deleting a staged worktree has not removed git's record; remove it now.
    async fn drop_staged_record(
        &self,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<(), EffectError> {
        let inner = &self.engine.0;
        let hold = self
            .lock_workspace_in(&inner.root.staged_removals(), &directory_of(workspace)?)
            .await?;
        let locked = inner.repo_locks.acquire(repo).await?;
        locked.remove_worktree(&hold).await?;
        Ok(())
    }

    /// Moves the branch's commits to the archive and deletes the branch. Returns true if the branch no longer exists.
    async fn archive_branch(
        &self,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<bool, EffectError> {
        let branch = branch_of(workspace)?;
        let Some(tip) = repo.tip(&branch).await? else { return Ok(true) };
        let name = format!("refs/forge/archive/{}/{}/{branch}", self.task.id, self.row.id);
        let archive =
            RefName::new(name).map_err(|error| EffectError::workspace(error.to_string()))?;
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        locked.pin_commit(&archive, &tip).await?;
        self.pass_fault_point("clean.archived").await?;
        locked.delete_branch(&branch, &tip).await?;
        Ok(true)
    }
}
