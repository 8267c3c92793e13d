//! Restores a workspace after checks (M-2) or a judge (M-3) worked in it, since neither may change it.

use crate::effects::{EffectContext, EffectError};
use crate::workspace::locate::{branch_of, directory_of};
use crate::workspace::workspaces::Workspaces;
use forge_domain::task::WorkspaceStatus;
use forge_git::{
    JournalReason, LockedWorktree, ObjectId, Repo, WorkspaceLockGuard, WorktreeCorruption,
    WorktreeVerifyError,
};

impl Workspaces {
    /// Records the differences in the journal and reverts them. Ignored files stay, because most are caches.
    pub(crate) async fn restore_workspace(
        &self,
        effect: &EffectContext,
        worktree: &LockedWorktree,
        commit: &ObjectId,
    ) -> Result<(), EffectError> {
        if worktree.is_at(commit) && worktree.is_clean().await? {
            return Ok(());
        }
        self.journals
            .write_journal_entry(effect, &worktree.snapshot_source(), JournalReason::BeforeReset)
            .await?;
        effect.pass_fault_point("workspace.putting_back").await?;
        worktree.reset_to(&self.repo_locks, commit).await?;
        effect.pass_fault_point("workspace.put_back").await
    }

    /// Restores the branch of a workspace in which checks or a judge were interrupted; on another branch it would fail
    /// verification.
    pub(crate) async fn restore_branch(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        hold: &WorkspaceLockGuard,
        commit: &ObjectId,
    ) -> Result<(), EffectError> {
        let branch = branch_of(effect.workspace()?)?;
        let Some(worktree) = hold.worktree(repo, &branch).await? else { return Ok(()) };
        match worktree.verify().await {
            Err(WorktreeVerifyError::Corrupt(
                WorktreeCorruption::WrongBranch { .. } | WorktreeCorruption::BranchMissing { .. },
            )) => self.restore_workspace(effect, &worktree, commit).await,
            _ => Ok(()),
        }
    }

    /// Does the same for a workspace that may be gone and that no effect waits for.
    pub(crate) async fn restore_if_possible(
        &self,
        effect: &EffectContext,
        commit: &ObjectId,
    ) -> Result<(), EffectError> {
        let repo = self.repos.open_of_effect(effect).await?;
        let there =
            effect.task.workspace.as_ref().is_some_and(|at| at.status == WorkspaceStatus::Ready);
        if !there {
            return Ok(());
        }
        let put_back = async {
            let hold = self.lock_workspace(effect, &directory_of(effect.workspace()?)?).await?;
            self.restore_branch(effect, &repo, &hold, commit).await?;
            let worktree = self.usable_worktree_in(effect, &repo, &hold).await?;
            self.restore_workspace(effect, &worktree, commit).await
        };
        match put_back.await {
            Err(EffectError::NeedsPerson { message, .. }) => {
                tracing::warn!(task = %effect.task.id, message, "could not restore the workspace after checks");
                Ok(())
            }
            other => other,
        }
    }
}
