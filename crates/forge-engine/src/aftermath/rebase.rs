//! Asks for a task's branch to be brought up to its target (M-9).

use crate::effects::{Failure, branch_of};
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::task::Snapshot;
use forge_domain::workflow::Standing;
use forge_domain::{Actor, Command, Refusal, TaskId};

impl Engine {
    /// Merges the target into a task's branch, in its workspace, and sends the task back to work. A branch that has all
    /// of its target is left alone.
    pub async fn rebase(
        &self,
        actor: Actor,
        task: TaskId,
        message: Option<String>,
    ) -> Result<Snapshot, EngineError> {
        let known = self.task(task).await?;
        let over = matches!(known.standing, Standing::Succeeded | Standing::Ended);
        if !over
            && !known.is_at_work()
            && let Some(target) = self.has_all_of(&known).await
        {
            return Err(Refusal::UpToDate { key: known.key(), target }.into());
        }
        self.handle(actor, task, Command::Rebase { message }).await
    }

    /// The target that a task's branch has all of; none where it has not, or that cannot be told now.
    async fn has_all_of(&self, task: &Snapshot) -> Option<String> {
        let looked = async {
            let Some(workspace) = task.workspace.as_ref().filter(|place| !place.is_plain()) else {
                return Ok::<_, Failure>(None);
            };
            let repo = self.repo_of(task).await?;
            let row = self.repo_row(task).await?;
            self.refresh_target(task, &row, &repo).await?;
            let (target, tip) = self.target_of(task, &repo).await?;
            let Some(head) = repo.tip(&branch_of(workspace)?).await? else { return Ok(None) };
            let has = repo.is_ancestor(&tip, &head).await?;
            Ok(has.then(|| target.to_string()))
        };
        // The step itself says what is wrong.
        looked.await.ok().flatten()
    }
}
