//! Resets a workspace (W-9): removes the old worktree after saving its work, and creates a new one from the target.

use crate::effects::effect_run::EffectRun;
use crate::effects::{EffectError, EffectOutcome};
use crate::workspace::workspace_plan::WorkspacePlan;
use forge_domain::EffectReport;

impl EffectRun<'_> {
    /// The plan of the new worktree is journalled only after the old one is removed, so a retry knows which of the two
    /// exists.
    pub(crate) async fn reset_workspace(&self) -> Result<EffectOutcome, EffectError> {
        let warnings = match self.journalled::<WorkspacePlan>() {
            Some(_) => Vec::new(),
            None => match self.finish_removal(true).await? {
                EffectReport::WorkspaceCleaned { warnings, .. } => warnings,
                _ => Vec::new(),
            },
        };
        self.pass_fault_point("renew.removed").await?;
        let repo = self.engine.open_task_repo(&self.task).await?;
        let (workspace, _) = self.create_worktree(&repo).await?;
        Ok(EffectOutcome::Report(EffectReport::WorkspaceRenewed { workspace, warnings }))
    }
}
