//! Creates the workspace of a revert task: a branch from the target with the inverse change, or with conflict markers
//! where later work overlaps.

use crate::effects::{EffectContext, EffectError, EffectOutcome};
use crate::landing::post_landing::PostLanding;
use crate::landing::post_landing::rebase_effect::conflict_hunks;
use forge_domain::task::{OriginTask, Workspace};
use forge_domain::{EffectReport, RevertResult};
use forge_git::{LockedWorktree, MergeOutcome, ObjectId, Repo};

/// The trailer that names the task of a landed commit.
pub(crate) const TASK_TRAILER: &str = "Forge-Task";

impl PostLanding {
    pub(crate) async fn perform_revert(
        &self,
        effect: &EffectContext,
        landed: &str,
    ) -> Result<EffectOutcome, EffectError> {
        let repo = self.repos.open_of_effect(effect).await?;
        let (workspace, worktree) = match &effect.task.workspace {
            Some(known) => {
                (known.clone(), self.workspaces.lock_usable_worktree(effect, &repo).await?)
            }
            None => self.workspaces.create_worktree(effect, &repo).await?,
        };
        let result = self.invert(effect, &repo, &workspace, &worktree, landed).await?;
        effect.pass_fault_point("revert.made").await?;
        Ok(EffectOutcome::Report(EffectReport::Inverted { workspace, result }))
    }

    async fn invert(
        &self,
        effect: &EffectContext,
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
        self.workspaces.restore_workspace(effect, worktree, &base).await?;
        let signature = effect.load_signature().await?;
        let other = match &effect.task.post_landing.origin {
            Some(origin) => origin.task().to_string(),
            None => String::new(),
        };
        let before = match &effect.task.post_landing.origin {
            Some(OriginTask::Revert { before: Some(before), .. }) => read(before)?,
            _ => repo.commit_before_series(&landed, (TASK_TRAILER, other.as_str())).await?,
        };
        let inverse = repo.make_revert_to(&landed, &before, &signature).await?;
        effect.pass_fault_point("revert.inverted").await?;
        match worktree.cherry_pick(&inverse, &signature).await? {
            MergeOutcome::Conflict { files, hunks } => {
                Ok(RevertResult::Conflict { files, hunks: conflict_hunks(hunks) })
            }
            MergeOutcome::Clean => {
                effect.pass_fault_point("revert.taken").await?;
                let title = &effect.task.title;
                let message =
                    effect.commit_message(&format!("{title}\n\nThis reverts commit {landed}."));
                let commit = worktree.commit_all(&message, &signature).await?.head;
                Ok(RevertResult::Clean { commit: commit.to_string() })
            }
        }
    }
}
