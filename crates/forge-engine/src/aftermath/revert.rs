//! Takes back what a task landed, by another task that lands through the same gate.

use super::successor::{Succession, Successor};
use crate::effects::{Failure, TASK_TRAILER};
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::registry::NewTask;
use forge_domain::task::{MergeConfig, Origin, Snapshot};
use forge_domain::workflow::Standing;
use forge_domain::{Actor, Command, Refusal, TaskId};
use forge_git::{ObjectId, Squash};

const LONGEST_TITLE: usize = 500;

impl Engine {
    /// Makes the task that takes back what this one landed, or names the one that does already.
    pub async fn revert(&self, actor: Actor, task: TaskId) -> Result<Successor, EngineError> {
        let known = self.task(task).await?;
        let key = known.key();
        let landed = known.aftermath.landed.clone();
        let commit = landed.as_ref().and_then(|landed| landed.commit.clone());
        let (Some(landed), Some(commit)) = (landed, commit) else {
            return Err(Refusal::NotLanded { key, what: "revert" }.into());
        };
        let open = match known.aftermath.reverted_by {
            Some(first) => self.task(first).await?.standing != Standing::Ended,
            None => false,
        };
        let target = landed.target;
        if !open && self.is_taken_back(&known, &commit).await {
            return Err(Refusal::NothingToRevert { key, target }.into());
        }
        let title = format!("Revert \"{}\"", known.title);
        let asked = NewTask {
            title: title.chars().take(LONGEST_TITLE).collect(),
            description: format!("Takes back what {key} landed on {target} as {commit}."),
            repo_id: known.repo_id,
            kind: known.kind,
            priority: known.priority,
            labels: known.labels.clone(),
            review_config: Some(known.review_config.clone()),
            merge_config: MergeConfig {
                target_branch: known.merge_config.target_branch.clone(),
                ..MergeConfig::default()
            },
            roles: known.roles.clone(),
            origin: Some(Origin::Revert { of: task, commit }),
            ..NewTask::default()
        };
        let succession = Succession {
            landed: task,
            project: known.project_id,
            asked,
            known: |landed| landed.aftermath.reverted_by,
            tell: Box::new(|by| Command::Revert { by }),
        };
        self.succeed(actor, succession, None).await
    }

    /// Whether the target has nothing of a landed commit any more; no where that cannot be told.
    async fn is_taken_back(&self, task: &Snapshot, commit: &str) -> bool {
        let looked = async {
            let repo = self.repo_of(task).await?;
            let row = self.repo_row(task).await?;
            self.refresh_target(task, &row, &repo).await?;
            let (_, tip) = self.target_of(task, &repo).await?;
            let landed = ObjectId::new(commit.to_owned())
                .map_err(|error| Failure::workspace(error.to_string()))?;
            let signature = self.signature("Forge", task.updated_at.millis())?;
            let id = task.id.to_string();
            let inverse = repo.make_inverse(&landed, (TASK_TRAILER, &id), &signature).await?;
            let result = repo.try_inverse(&tip, &inverse, &landed).await?;
            Ok::<_, Failure>(result == Squash::Nothing)
        };
        looked.await.unwrap_or(false)
    }
}
