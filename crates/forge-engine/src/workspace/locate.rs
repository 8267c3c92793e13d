//! Locates a task's repository, worktree and target branch.

use crate::command::errors::EngineError;
use crate::effects::{EffectContext, EffectError};
use crate::workspace::workspaces::Workspaces;
use forge_domain::EffectReport;
use forge_domain::task::{TaskSnapshot, Workspace, WorkspaceStatus};
use forge_git::{
    BranchName, CommitIdentity, CommitSignature, DirectoryName, JournalReason, LockHolder,
    LockWait, LockedWorktree, ObjectId, Repo, WorkspaceLockGuard, WorkspaceRoot,
    WorktreeCorruption, WorktreeVerifyError,
};
use forge_proc::ProcessIdentity;
use forge_store::tables;
use std::path::Path;
use std::time::Duration;
use uuid::Uuid;

/// How long an effect waits for the workspace lock before it is retried later.
const PATIENCE: LockWait = LockWait::Wait(Duration::from_secs(60));

/// This process as the holder of a workspace lock (W-4).
pub(crate) fn lock_holder(node: Uuid, execution: String) -> Result<LockHolder, EngineError> {
    let process = ProcessIdentity::of_self().ok_or_else(|| {
        EngineError::Workspace(
            "this process is not in the kernel's table; is /proc there?".to_owned(),
        )
    })?;
    Ok(LockHolder { execution, node: node.to_string(), process })
}

/// The commit signature of Forge, dated at the effect's creation, so that a retry makes the same commit.
pub(crate) fn commit_signature(
    author: &str,
    at_millis: i64,
) -> Result<CommitSignature, EffectError> {
    let committer =
        CommitIdentity::new("Forge", "forge@localhost").map_err(EffectError::transient)?;
    let author =
        CommitIdentity::new(author, "agent@localhost").unwrap_or_else(|_| committer.clone());
    Ok(CommitSignature { author, committer, at: at_millis / 1000 })
}

impl Workspaces {
    /// Takes a workspace's lock for this effect (W-4).
    pub(crate) async fn lock_workspace(
        &self,
        effect: &EffectContext,
        name: &DirectoryName,
    ) -> Result<WorkspaceLockGuard, EffectError> {
        self.lock_workspace_in(effect, &self.root, name).await
    }

    /// Takes the lock in another root.
    pub(crate) async fn lock_workspace_in(
        &self,
        effect: &EffectContext,
        root: &WorkspaceRoot,
        name: &DirectoryName,
    ) -> Result<WorkspaceLockGuard, EffectError> {
        let locks = &self.workspace_locks;
        Ok(locks.acquire(root, name, effect.lock_holder(self.home.node())?, PATIENCE).await?)
    }

    /// The locked and verified worktree: recreated if missing, refused if it is not the recorded one (W-4, W-6, W-8).
    pub(crate) async fn lock_usable_worktree(
        &self,
        effect: &EffectContext,
        repo: &Repo,
    ) -> Result<LockedWorktree, EffectError> {
        let hold = self.lock_workspace(effect, &directory_of(effect.workspace()?)?).await?;
        self.usable_worktree_in(effect, repo, &hold).await
    }

    /// Does the same for a workspace whose lock is already held.
    pub(crate) async fn usable_worktree_in(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
    ) -> Result<LockedWorktree, EffectError> {
        let branch = branch_of(effect.workspace()?)?;
        self.undo_staged_removal(repo, hold).await?;
        if let Some(worktree) = hold.worktree(repo, &branch).await?
            && worktree.path().exists()
        {
            match worktree.verify().await {
                Ok(_) => {
                    self.finish_interrupted_restore(effect, &worktree).await?;
                    return Ok(worktree);
                }
                // Its creation was interrupted; continue it below.
                Err(WorktreeVerifyError::Corrupt(WorktreeCorruption::NotCheckedOut(_))) => {}
                Err(other) => {
                    self.journals
                        .try_journal_entry(
                            effect,
                            &worktree.snapshot_source(),
                            JournalReason::Corrupted,
                        )
                        .await?;
                    return Err(other.into());
                }
            }
        }
        self.rebuild_and_restore(effect, repo, hold, &branch).await
    }

    /// Undoes a staged removal that did not finish, because the worktree is needed again (W-7).
    async fn undo_staged_removal(
        &self,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
    ) -> Result<(), EffectError> {
        let left = hold.root().staged_removals().directory(hold.name());
        if left.symlink_metadata().is_ok() {
            let locked = self.repo_locks.acquire(repo).await?;
            locked.cancel_removal(hold).await?;
        }
        Ok(())
    }
}

/// Reports the recreation of a worktree that disappeared; a worktree removed on purpose needs no report (W-8).
pub(crate) async fn report_recovered(effect: &EffectContext) -> Result<(), EffectError> {
    let workspace = effect.workspace()?;
    if workspace.status == WorkspaceStatus::Cleaned {
        return Ok(());
    }
    tracing::info!(path = workspace.path, "recreated a missing workspace from its branch");
    effect.pass_fault_point("workspace.recovered").await?;
    let report = EffectReport::WorkspaceRecovered;
    Ok(effect.report_progress(report).await?)
}

/// The target branch of a task of this repository, and its tip.
pub(crate) async fn load_target_in(
    task: &TaskSnapshot,
    row: &tables::repos::RepoRow,
    repo: &Repo,
) -> Result<(BranchName, ObjectId), EffectError> {
    let branch = BranchName::new(target_name(task, row))
        .map_err(|error| EffectError::workspace(format!("the target branch: {error}")))?;
    match repo.tip(&branch).await? {
        Some(tip) => Ok((branch, tip)),
        None => Err(EffectError::workspace(format!(
            "the target branch {branch} does not exist; create it or change merge_config.target_branch"
        ))),
    }
}

/// The task's own target, else the default branch recorded at registration; what is checked out now does not matter.
pub(crate) fn target_name(task: &TaskSnapshot, row: &tables::repos::RepoRow) -> String {
    task.merge_config.target_branch.clone().unwrap_or_else(|| row.default_branch.clone())
}

pub(crate) fn branch_of(workspace: &Workspace) -> Result<BranchName, EffectError> {
    BranchName::new(workspace.branch.clone())
        .map_err(|error| EffectError::workspace(error.to_string()))
}

pub(crate) fn directory_of(workspace: &Workspace) -> Result<DirectoryName, EffectError> {
    let name =
        Path::new(&workspace.path).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    DirectoryName::new(name).map_err(|error| EffectError::workspace(error.to_string()))
}
