//! Requests that a task's branch be brought up to its target (M-9).

use crate::command::errors::EngineError;
use crate::effects::EffectError;
use crate::landing::post_landing::PostLanding;
use crate::workspace::locate::branch_of;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::TaskStanding;
use forge_domain::{Actor, Refusal, TaskCommand, TaskId};

impl PostLanding {
    /// Merges the target into a task's branch, in its workspace, and sends the task back to work. If the branch already
    /// contains its target, the call is refused as up to date.
    pub async fn rebase(
        &self,
        actor: Actor,
        task: TaskId,
        message: Option<String>,
    ) -> Result<TaskSnapshot, EngineError> {
        let known = self.records.task(task).await?;
        let over = matches!(known.standing, TaskStanding::Succeeded | TaskStanding::Ended);
        if !over
            && !known.is_executing()
            && let Some(target) = self.find_contained_target(&known).await
        {
            return Err(Refusal::UpToDate { key: known.key(), target }.into());
        }
        self.commands.handle(actor, task, TaskCommand::Rebase { message }).await
    }

    /// Returns the target if the task's branch contains all of it. Returns `None` if it does not, or if git cannot tell
    /// now.
    async fn find_contained_target(&self, task: &TaskSnapshot) -> Option<String> {
        let looked = async {
            let Some(workspace) = task.workspace.as_ref().filter(|place| !place.is_plain()) else {
                return Ok::<_, EffectError>(None);
            };
            let (repo, target, tip) = self.repos.fetch_target_of(task).await?;
            let Some(head) = repo.tip(&branch_of(workspace)?).await? else { return Ok(None) };
            let has = repo.is_ancestor(&tip, &head).await?;
            Ok(has.then(|| target.to_string()))
        };
        // The effect itself reports any error.
        looked.await.ok().flatten()
    }
}
