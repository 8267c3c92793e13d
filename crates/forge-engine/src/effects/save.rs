//! Keeps what is in a worktree and nowhere else (P-1, W-14).

use super::Failure;
use super::perform::Step;
use forge_git::{ObjectId, RefName, Repo, Worktree};

impl Step<'_> {
    /// Names a commit in the journal, so that it cannot be lost.
    pub(super) async fn keep(
        &self,
        repo: &Repo,
        what: &str,
        commit: &ObjectId,
    ) -> Result<(), Failure> {
        let name = format!("refs/forge/journal/{}/{}-{what}", self.task.id, self.row.id);
        let reference =
            RefName::new(name).map_err(|error| Failure::workspace(error.to_string()))?;
        let locked = self.engine.0.repo_locks.acquire(repo).await?;
        Ok(locked.keep(&reference, commit).await?)
    }

    /// Keeps uncommitted work under a ref of its own.
    pub(super) async fn save(&self, worktree: &Worktree) -> Result<(), Failure> {
        if worktree.is_clean().await? {
            return Ok(());
        }
        let signature = self.engine.signature("Forge", self.row.created_at.millis())?;
        let commit = worktree.snapshot("saved before it was removed\n", &signature).await?;
        self.keep(worktree.repo(), "files", &commit).await
    }
}
