//! A workspace as it was before somebody who was not to change it worked there: checks (M-2) and judges (M-3).

use super::Failure;
use super::perform::Step;
use super::site::{branch_of, directory_of};
use forge_domain::task::WorkspaceStatus;
use forge_git::{
    Corruption, HeldWorktree, JournalReason, ObjectId, Repo, VerifyError, WorkspaceHold,
};

impl Step<'_> {
    /// Writes what is different into the journal and takes it back. What is ignored stays, as the caches that it mostly is.
    pub(super) async fn leave_as_found(
        &self,
        worktree: &HeldWorktree,
        commit: &ObjectId,
    ) -> Result<(), Failure> {
        if worktree.is_at(commit) && worktree.is_clean().await? {
            return Ok(());
        }
        self.record(&worktree.site(), JournalReason::BeforeReset).await?;
        self.reach("workspace.putting_back").await?;
        worktree.put_back(&self.engine.0.repo_locks, commit).await?;
        self.reach("workspace.put_back").await
    }

    /// Before a workspace is used again in which somebody was cut off who was not to change it: one that they left on
    /// another branch would not be taken for ours.
    pub(super) async fn put_back_branch(
        &self,
        repo: &Repo,
        hold: &WorkspaceHold,
        commit: &ObjectId,
    ) -> Result<(), Failure> {
        let branch = branch_of(self.workspace()?)?;
        let Some(worktree) = hold.worktree(repo, &branch).await? else { return Ok(()) };
        match worktree.verify().await {
            Err(VerifyError::Corrupt(
                Corruption::Branch { .. } | Corruption::BranchMissing { .. },
            )) => self.leave_as_found(&worktree, commit).await,
            _ => Ok(()),
        }
    }

    /// The same for a workspace that nobody waits for any more, and that may be gone.
    pub(super) async fn put_back_if_possible(&self, commit: &ObjectId) -> Result<(), Failure> {
        let repo = self.engine.repo_of(&self.task).await?;
        let there =
            self.task.workspace.as_ref().is_some_and(|at| at.status == WorkspaceStatus::Ready);
        if !there {
            return Ok(());
        }
        let put_back = async {
            let hold = self.hold(&directory_of(self.workspace()?)?).await?;
            self.put_back_branch(&repo, &hold, commit).await?;
            let worktree = self.usable_worktree_in(&repo, &hold).await?;
            self.leave_as_found(&worktree, commit).await
        };
        match put_back.await {
            Err(Failure::Final { message, .. }) => {
                tracing::warn!(task = %self.task.id, message, "what checks left stays where it is");
                Ok(())
            }
            other => other,
        }
    }
}
