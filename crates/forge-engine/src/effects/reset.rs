//! Throws uncommitted edits away because a person said so (T-14), after saving them.

use super::perform::Step;
use super::{Failure, Outcome};
use forge_domain::Report;
use forge_git::NobodyInside;

impl Step<'_> {
    pub(super) async fn reset_worktree(&self) -> Result<Outcome, Failure> {
        let done = || Outcome::Report(Report::WorktreeReset);
        let Some(workspace) = &self.task.workspace else { return Ok(done()) };
        let repo = self.engine.repo_of(&self.task).await?;
        let Some(worktree) = self.engine.worktree_of(&repo, workspace).await? else {
            return Ok(done());
        };
        if !worktree.path().exists() {
            return Ok(done());
        }
        worktree.verify().await?;
        self.save(&worktree).await?;
        self.reach("reset.saved").await?;
        worktree.discard_changes(NobodyInside::asserted()).await?;
        Ok(done())
    }
}
