//! Discards uncommitted changes at a person's request (T-14), after saving them.

use crate::effects::effect_run::EffectRun;
use crate::effects::{EffectError, EffectOutcome};
use crate::workspace::locate::{branch_of, directory_of};
use forge_domain::EffectReport;
use forge_git::JournalReason;

impl EffectRun<'_> {
    pub(crate) async fn reset_worktree(&self) -> Result<EffectOutcome, EffectError> {
        let done = || EffectOutcome::Report(EffectReport::WorktreeReset);
        let Some(workspace) = &self.task.workspace else { return Ok(done()) };
        let repo = self.engine.open_task_repo(&self.task).await?;
        let hold = self.lock_workspace(&directory_of(workspace)?).await?;
        let Some(worktree) = hold.worktree(&repo, &branch_of(workspace)?).await? else {
            return Ok(done());
        };
        if !worktree.path().exists() {
            return Ok(done());
        }
        if let Err(error) = worktree.verify().await {
            self.try_journal_entry(&worktree.snapshot_source(), JournalReason::Corrupted).await?;
            return Err(error.into());
        }
        self.write_journal_entry(&worktree.snapshot_source(), JournalReason::BeforeReset).await?;
        self.pass_fault_point("reset.saved").await?;
        worktree.discard_changes().await?;
        Ok(done())
    }
}
