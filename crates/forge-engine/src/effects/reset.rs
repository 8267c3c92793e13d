//! Throws uncommitted edits away because a person said so (T-14), after saving them.

use super::perform::Step;
use super::site::{branch_of, directory_of};
use super::{Failure, Outcome};
use forge_domain::Report;
use forge_git::JournalReason;

impl Step<'_> {
    pub(super) async fn reset_worktree(&self) -> Result<Outcome, Failure> {
        let done = || Outcome::Report(Report::WorktreeReset);
        let Some(workspace) = &self.task.workspace else { return Ok(done()) };
        let repo = self.engine.repo_of(&self.task).await?;
        let hold = self.hold(&directory_of(workspace)?).await?;
        let Some(worktree) = hold.worktree(&repo, &branch_of(workspace)?).await? else {
            return Ok(done());
        };
        if !worktree.path().exists() {
            return Ok(done());
        }
        if let Err(error) = worktree.verify().await {
            self.record_if_possible(&worktree.site(), JournalReason::Corrupted).await?;
            return Err(error.into());
        }
        self.record(&worktree.site(), JournalReason::BeforeReset).await?;
        self.reach("reset.saved").await?;
        worktree.discard_changes().await?;
        Ok(done())
    }
}
