//! Resets a workspace (W-9): removes the old worktree after saving its work, and creates a new one from the target.

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::workspace::remove_worktree::WorktreeRemover;
use crate::workspace::workspace_plan::WorkspacePlan;
use forge_domain::EffectReport;

impl WorktreeRemover {
    /// The plan of the new worktree is journalled only after the old one is removed, so a retry knows which of the two
    /// exists.
    pub(crate) async fn reset_workspace(
        &self,
        effect: &EffectContext,
    ) -> Result<EffectOutcome, EffectError> {
        let warnings = match effect.journalled::<WorkspacePlan>() {
            Some(_) => Vec::new(),
            None => match self.finish_removal(effect, true).await? {
                EffectReport::WorkspaceCleaned { warnings, .. } => warnings,
                _ => Vec::new(),
            },
        };
        effect.pass_fault_point("renew.removed").await?;
        let repo = self.repos.open_of_effect(effect).await?;
        let (workspace, _) = self.workspaces.create_worktree(effect, &repo).await?;
        Ok(EffectOutcome::Report(EffectReport::WorkspaceRenewed { workspace, warnings }))
    }
}
