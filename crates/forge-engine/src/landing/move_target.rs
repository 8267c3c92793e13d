//! The move of a target branch: push, compare-and-swap, and the checkouts that follow (M-7).

use crate::effects::{EffectContext, EffectError};
use crate::landing::publish::{LandingPublisher, LandingPushOutcome};
use crate::landing::target_checkouts::{hold_checkouts, target_is_locked, update_checkouts};
use crate::workspace::pool::maintain::WorktreePools;
use forge_git::{BranchMoveError, BranchName, ObjectId, Repo, RepoLocks};

/// Moves target branches to landed commits.
#[derive(Debug, Clone)]
pub(crate) struct TargetMover {
    pub(crate) pools: WorktreePools,
    pub(crate) publisher: LandingPublisher,
    pub(crate) repo_locks: RepoLocks,
}

impl TargetMover {
    /// Moves the ref and updates the checkouts; returns false if another process moved it first.
    pub(crate) async fn move_target_branch(
        &self,
        effect: &EffectContext,
        repo: &Repo,
        target: &BranchName,
        old: &ObjectId,
        new: &ObjectId,
    ) -> Result<bool, EffectError> {
        let published = self.publisher.push_landing(effect, repo, target, old, new).await?;
        if matches!(published, LandingPushOutcome::TargetMoved) {
            return Ok(false);
        }
        let locked = self.repo_locks.acquire(repo).await?;
        if matches!(published, LandingPushOutcome::NotPushed)
            && repo.tip(target).await?.as_ref() != Some(old)
        {
            return Ok(false);
        }
        let held = hold_checkouts(effect, &locked, target, old, new).await?;
        match locked.move_branch(target, new, old, "forge: landed").await {
            Ok(()) => {}
            Err(BranchMoveError::Moved { .. })
                if matches!(published, LandingPushOutcome::Pushed { .. }) =>
            {
                // The landing counts on the remote; the user who moved the local branch must reconcile the two.
                tracing::warn!(%target, %new, "local branch moved while the landing was pushed");
                return Ok(true);
            }
            Err(BranchMoveError::Moved { .. }) => return Ok(false),
            Err(BranchMoveError::Locked { lock }) => {
                return Err(target_is_locked(effect, target, &lock));
            }
            Err(error) => return Err(error.into()),
        }
        effect.pass_fault_point("land.moved").await?;
        update_checkouts(effect, &locked, held, target, (old, new)).await?;
        effect.pass_fault_point("land.followed").await?;
        self.pools.maintain_pool(effect.task.repo_id);
        Ok(true)
    }
}
