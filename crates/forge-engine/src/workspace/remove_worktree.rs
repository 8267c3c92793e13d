//! Removes a task's worktree (W-7). Content that exists only there is saved first (P-1).

use crate::effects::{EffectContext, EffectError, EffectOutcome, ErrorChain};
use crate::workspace::journal::WorkspaceJournals;
use crate::workspace::locate::{branch_of, directory_of};
use crate::workspace::pool::maintain::WorktreePools;
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::workspaces::Workspaces;
use forge_domain::EffectReport;
use forge_domain::task::{Workspace, WorkspaceStatus};
use forge_git::{
    LockedWorktree, RefName, Repo, RepoLocks, WorkspaceLockGuard, WorkspaceRoot,
    WorktreeCorruption, WorktreeVerifyError,
};

const PATIENCE_SECONDS: u64 = 300;

/// Removes the worktrees of tasks.
#[derive(Debug, Clone)]
pub(crate) struct WorktreeRemover {
    pub(crate) journals: WorkspaceJournals,
    pub(crate) pools: WorktreePools,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) repos: TaskRepos,
    pub(crate) root: WorkspaceRoot,
    pub(crate) workspaces: Workspaces,
}

impl WorktreeRemover {
    pub(crate) async fn clean_workspace(
        &self,
        effect: &EffectContext,
        retire_branch: bool,
    ) -> Result<EffectOutcome, EffectError> {
        match self.stage_and_remove(effect, retire_branch).await {
            Ok(report) => Ok(EffectOutcome::Report(report)),
            Err(EffectError::LeaseLost) => Err(EffectError::LeaseLost),
            Err(failure) => {
                tracing::info!(task = %effect.task.id, error = %ErrorChain(&failure), "could not remove a workspace");
                let error = failure.to_string();
                let report = EffectReport::CleaningFailed { error: error.clone() };
                Ok(EffectOutcome::Retry { report, error, patience_seconds: PATIENCE_SECONDS })
            }
        }
    }

    /// Reports as soon as the directory is staged for removal, because saving its content can take longer.
    async fn stage_and_remove(
        &self,
        effect: &EffectContext,
        retire_branch: bool,
    ) -> Result<EffectReport, EffectError> {
        if let Some(workspace) = on_disk(effect) {
            let repo = self.repos.open_of_effect(effect).await?;
            if self.stage_removal(effect, &repo, workspace).await? {
                effect.pass_fault_point("clean.aside").await?;
                let report = EffectReport::WorkspaceSetAside;
                effect.report_progress(report).await?;
                effect.pass_fault_point("clean.told").await?;
                return forge_proc::run_in_background(self.finish_removal(effect, retire_branch))
                    .await;
            }
        }
        self.finish_removal(effect, retire_branch).await
    }

    pub(crate) async fn finish_removal(
        &self,
        effect: &EffectContext,
        retire_branch: bool,
    ) -> Result<EffectReport, EffectError> {
        let Some(workspace) = effect.task.workspace.as_ref() else {
            return Ok(EffectReport::WorkspaceCleaned {
                branch_deleted: false,
                warnings: Vec::new(),
            });
        };
        let repo = self.repos.open_of_effect(effect).await?;
        let mut warnings = Vec::new();
        let mut found = false;
        // An earlier removal may still be pending; finish it before this one.
        while self.is_staged(effect, &repo, workspace).await? {
            self.save_and_delete_staged(effect, &repo, workspace, &mut warnings).await?;
            found = true;
        }
        if !found {
            self.drop_staged_record(effect, &repo, workspace).await?;
        }
        if on_disk(effect).is_some() {
            self.drop_worktree_record(effect, &repo, workspace).await?;
        }
        effect.pass_fault_point("clean.removed").await?;
        let branch_deleted = retire_branch && self.archive_branch(effect, &repo, workspace).await?;
        Ok(EffectReport::WorkspaceCleaned { branch_deleted, warnings })
    }

    /// Whether a staged removal exists; stages the worktree if it is still in place.
    async fn is_staged(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<bool, EffectError> {
        if on_disk(effect).is_some() {
            return self.stage_removal(effect, repo, workspace).await;
        }
        let place = self.root.staged_removals().directory(&directory_of(workspace)?);
        Ok(place.symlink_metadata().is_ok())
    }

    async fn stage_removal(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<bool, EffectError> {
        let hold = self.workspaces.lock_workspace(effect, &directory_of(workspace)?).await?;
        let locked = self.repo_locks.acquire(repo).await?;
        Ok(locked.stage_removal(&hold).await?)
    }

    /// Finishes a staged removal: saves the content and deletes the worktree.
    async fn save_and_delete_staged(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        workspace: &Workspace,
        warnings: &mut Vec<String>,
    ) -> Result<(), EffectError> {
        let branch = branch_of(workspace)?;
        let hold = self
            .workspaces
            .lock_workspace_in(effect, &self.root.staged_removals(), &directory_of(workspace)?)
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
            self.journals.journal_before_removal(effect, repo, &hold, &branch).await?;
        }
        effect.pass_fault_point("clean.saved").await?;
        match (trouble, worktree) {
            (None, Some(worktree)) => self.recycle_or_trash(effect, repo, &hold, &worktree).await,
            (trouble, _) => {
                let locked = self.repo_locks.acquire(repo).await?;
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
        effect: &EffectContext,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
        worktree: &LockedWorktree,
    ) -> Result<(), EffectError> {
        let pool = self.pools.open_pool(repo, &effect.project)?;
        let pool = pool.filter(|pool| pool.len() < self.pools.pool_target(repo, usize::MAX));
        let locked = self.repo_locks.acquire(repo).await?;
        if let Some(pool) = pool
            && locked.recycle_worktree(&pool, worktree).await?
        {
            self.pools.maintain_pool(effect.task.repo_id);
        } else {
            locked.remove_worktree(hold).await?;
            self.pools.start_emptying_trash();
        }
        Ok(())
    }

    /// Removes git's record of a worktree whose directory is gone.
    async fn drop_worktree_record(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<(), EffectError> {
        let hold = self.workspaces.lock_workspace(effect, &directory_of(workspace)?).await?;
        self.journals.journal_before_removal(effect, repo, &hold, &branch_of(workspace)?).await?;
        let locked = self.repo_locks.acquire(repo).await?;
        locked.remove_worktree(&hold).await?;
        Ok(())
    }

    /// A process killed right after deleting a staged worktree has not removed git's record; remove it now.
    async fn drop_staged_record(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<(), EffectError> {
        let hold = self
            .workspaces
            .lock_workspace_in(effect, &self.root.staged_removals(), &directory_of(workspace)?)
            .await?;
        let locked = self.repo_locks.acquire(repo).await?;
        locked.remove_worktree(&hold).await?;
        Ok(())
    }

    /// Moves the branch's commits to the archive and deletes the branch. Returns true if the branch no longer exists.
    async fn archive_branch(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        workspace: &Workspace,
    ) -> Result<bool, EffectError> {
        let branch = branch_of(workspace)?;
        let Some(tip) = repo.tip(&branch).await? else { return Ok(true) };
        let name = format!("refs/forge/archive/{}/{}/{branch}", effect.task.id, effect.row.id);
        let archive =
            RefName::new(name).map_err(|error| EffectError::workspace(error.to_string()))?;
        let locked = self.repo_locks.acquire(repo).await?;
        locked.pin_commit(&archive, &tip).await?;
        effect.pass_fault_point("clean.archived").await?;
        locked.delete_branch(&branch, &tip).await?;
        Ok(true)
    }
}

/// The workspace, if the database says that its directory exists.
fn on_disk(effect: &EffectContext) -> Option<&Workspace> {
    effect.task.workspace.as_ref().filter(|known| known.status != WorkspaceStatus::Cleaned)
}
