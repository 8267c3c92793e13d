//! Creates the workspace of a revert task: a branch from the target with the inverse change, or with conflict markers
//! where later work overlaps.

use crate::effects::effect_run::EffectRun;
use crate::effects::{EffectError, EffectOutcome};
use crate::landing::post_landing::rebase_effect::conflict_hunks;
use forge_domain::task::{OriginTask, Workspace};
use forge_domain::{EffectReport, RevertResult};
use forge_git::{LockedWorktree, MergeOutcome, ObjectId, Repo};

/// The trailer that names the task of a landed commit.
pub(crate) const TASK_TRAILER: &str = "Forge-Task";

impl EffectRun<'_> {
    pub(crate) async fn revert(&self, landed: &str) -> Result<EffectOutcome, EffectError> {
        let repo = self.engine.open_task_repo(&self.task).await?;
        let (workspace, worktree) = match &self.task.workspace {
            Some(known) => (known.clone(), self.lock_usable_worktree(&repo).await?),
            None => self.create_worktree(&repo).await?,
        };
        let result = self.invert(&repo, &workspace, &worktree, landed).await?;
        self.pass_fault_point("revert.made").await?;
        Ok(EffectOutcome::Report(EffectReport::Inverted { workspace, result }))
    }

    async fn invert(
        &self,
        repo: &Repo,
        workspace: &Workspace,
        worktree: &LockedWorktree,
        landed: &str,
    ) -> Result<RevertResult, EffectError> {
        let read = |id: &str| {
            ObjectId::new(id.to_owned()).map_err(|error| EffectError::workspace(error.to_string()))
        };
        let (base, landed) = (read(&workspace.base)?, read(landed)?);
        let head = worktree.head().await?;
        if head != base {
            // An earlier attempt already committed the inverse.
            return Ok(RevertResult::Clean { commit: head.to_string() });
        }
        self.restore_workspace(worktree, &base).await?;
        let signature =
            self.engine.signature(&self.author().await?, self.row.created_at.millis())?;
        let other = match &self.task.post_landing.origin {
            Some(origin) => origin.task().to_string(),
            None => String::new(),
        };
        let before = match &self.task.post_landing.origin {
            Some(OriginTask::Revert { before: Some(before), .. }) => read(before)?,
            _ => repo.commit_before_series(&landed, (TASK_TRAILER, other.as_str())).await?,
        };
        let inverse = repo.make_revert_to(&landed, &before, &signature).await?;
        self.pass_fault_point("revert.inverted").await?;
        match worktree.cherry_pick(&inverse, &signature).await? {
            MergeOutcome::Conflict { files, hunks } => {
                Ok(RevertResult::Conflict { files, hunks: conflict_hunks(hunks) })
            }
            MergeOutcome::Clean => {
                self.pass_fault_point("revert.taken").await?;
                let title = &self.task.title;
                let message =
                    self.commit_message(&format!("{title}\n\nThis reverts commit {landed}."));
                let commit = worktree.commit_all(&message, &signature).await?.head;
                Ok(RevertResult::Clean { commit: commit.to_string() })
            }
        }
    }
}
