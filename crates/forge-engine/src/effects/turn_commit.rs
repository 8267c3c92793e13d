//! The one commit of an ordered turn (T-17).

use super::Failure;
use super::perform::Step;
use forge_git::{HeldWorktree, ObjectId, RefName, Signature};

impl Step<'_> {
    /// Makes one commit of all that the turn did, whatever its agent committed on the way; answers the branch's head. The
    /// agent's own commits stay reachable in the archive. Of a task that is no turn nothing is changed, and neither is
    /// a branch that was taken somewhere else than forward.
    pub(super) async fn one_commit(
        &self,
        worktree: &HeldWorktree,
        began: &str,
        head: ObjectId,
        message: &str,
        signature: &Signature,
    ) -> Result<ObjectId, Failure> {
        let Some(turn) = self.task.turn() else { return Ok(head) };
        let broken = |error: String| Failure::Passing(error);
        let base =
            ObjectId::new(turn.begins_at(began)).map_err(|error| broken(error.to_string()))?;
        let repo = worktree.repo();
        if base == head || !repo.is_ancestor(&base, &head).await? {
            return Ok(head);
        }
        let tree = repo.tree_of(&head).await?;
        if tree == repo.tree_of(&base).await? {
            // Whatever was done was undone: that is no change.
            return self.put_branch(worktree, &head, base).await;
        }
        let one = repo.commit_tree(&tree, std::slice::from_ref(&base), message, signature).await?;
        self.put_branch(worktree, &head, one).await
    }

    /// Moves the branch to a commit with the same files.
    async fn put_branch(
        &self,
        worktree: &HeldWorktree,
        head: &ObjectId,
        to: ObjectId,
    ) -> Result<ObjectId, Failure> {
        if *head == to {
            return Ok(to);
        }
        let locked = self.engine.0.repo_locks.acquire(worktree.repo()).await?;
        let name = format!("refs/forge/archive/{}/{}/turn", self.task.id, self.row.id);
        let archive = RefName::new(name).map_err(|error| Failure::workspace(error.to_string()))?;
        locked.keep(&archive, head).await?;
        self.reach("turn.kept").await?;
        locked.move_branch(worktree.branch(), &to, head, "forge: one turn, one commit").await?;
        self.reach("turn.joined").await?;
        Ok(to)
    }
}
