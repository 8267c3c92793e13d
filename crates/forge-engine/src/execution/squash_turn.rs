//! Squashes an ordered turn into one commit (T-17).

use crate::effects::{EffectContext, EffectError};
use crate::execution::executions::Executions;
use forge_git::{CommitSignature, LockedWorktree, ObjectId, RefName};

impl Executions {
    /// Makes one commit of everything that the turn did, and returns the branch's head. The agent's own commits stay
    /// reachable in the archive. A task that is not a turn stays unchanged, and so does a branch that moved other than
    /// forward.
    pub(crate) async fn squash_turn(
        &self,
        effect: &EffectContext,
        worktree: &LockedWorktree,
        began: &str,
        head: ObjectId,
        message: &str,
        signature: &CommitSignature,
    ) -> Result<ObjectId, EffectError> {
        let Some(turn) = effect.task.turn() else { return Ok(head) };
        let broken = |error: String| EffectError::transient(error);
        let base =
            ObjectId::new(turn.commit_base(began)).map_err(|error| broken(error.to_string()))?;
        let repo = worktree.repo();
        if base == head || !repo.is_ancestor(&base, &head).await? {
            return Ok(head);
        }
        let tree = repo.tree_of(&head).await?;
        if tree == repo.tree_of(&base).await? {
            // All changes were undone, so there is no change.
            return self.move_turn_branch(effect, worktree, &head, base).await;
        }
        let one = repo.commit_tree(&tree, std::slice::from_ref(&base), message, signature).await?;
        self.move_turn_branch(effect, worktree, &head, one).await
    }

    /// Moves the branch to a commit with the same files.
    async fn move_turn_branch(
        &self,
        effect: &EffectContext,
        worktree: &LockedWorktree,
        head: &ObjectId,
        to: ObjectId,
    ) -> Result<ObjectId, EffectError> {
        if *head == to {
            return Ok(to);
        }
        let locked = self.repo_locks.acquire(worktree.repo()).await?;
        let name = format!("refs/forge/archive/{}/{}/turn", effect.task.id, effect.row.id);
        let archive =
            RefName::new(name).map_err(|error| EffectError::workspace(error.to_string()))?;
        locked.pin_commit(&archive, head).await?;
        effect.pass_fault_point("turn.kept").await?;
        locked.move_branch(worktree.branch(), &to, head, "forge: one turn, one commit").await?;
        effect.pass_fault_point("turn.joined").await?;
        Ok(to)
    }
}
