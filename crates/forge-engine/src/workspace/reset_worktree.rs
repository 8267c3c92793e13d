//! Discards uncommitted changes at a person's request (T-14), after saving them.

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::workspace::locate::{branch_of, directory_of};
use crate::workspace::workspaces::Workspaces;
use forge_domain::EffectReport;
use forge_git::JournalReason;

impl Workspaces {
    pub(crate) async fn reset_worktree(
        &self,
        effect: &EffectContext,
    ) -> Result<EffectOutcome, EffectError> {
        let done = || EffectOutcome::Report(EffectReport::WorktreeReset);
        let Some(workspace) = &effect.task.workspace else { return Ok(done()) };
        let repo = self.repos.open_of_effect(effect).await?;
        let hold = self.lock_workspace(effect, &directory_of(workspace)?).await?;
        let Some(worktree) = hold.worktree(&repo, &branch_of(workspace)?).await? else {
            return Ok(done());
        };
        if !worktree.path().exists() {
            return Ok(done());
        }
        if let Err(error) = worktree.verify().await {
            self.journals
                .try_journal_entry(effect, &worktree.snapshot_source(), JournalReason::Corrupted)
                .await?;
            return Err(error.into());
        }
        self.journals
            .write_journal_entry(effect, &worktree.snapshot_source(), JournalReason::BeforeReset)
            .await?;
        effect.pass_fault_point("reset.saved").await?;
        worktree.discard_changes().await?;
        Ok(done())
    }
}
