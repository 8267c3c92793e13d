//! A fresh start (W-9): the old worktree goes, its work kept, and a new one is made from the target.

use super::perform::Step;
use super::plan::Intent;
use super::{Failure, Outcome};
use forge_domain::Report;

impl Step<'_> {
    /// What was planned for the new worktree is written down only after the old one is gone, so whoever takes this step
    /// up knows by it which of the two is on disk.
    pub(super) async fn reset_workspace(&self) -> Result<Outcome, Failure> {
        let warnings = match self.journalled::<Intent>() {
            Some(_) => Vec::new(),
            None => match self.remove(true).await? {
                Report::WorkspaceCleaned { warnings, .. } => warnings,
                _ => Vec::new(),
            },
        };
        self.reach("renew.removed").await?;
        let repo = self.engine.repo_of(&self.task).await?;
        let (workspace, _) = self.made(&repo, None).await?;
        Ok(Outcome::Report(Report::WorkspaceRenewed { workspace, warnings }))
    }
}
