//! Reverts a landing by another task that lands through the same gate.

use crate::admin::TaskSpec;
use crate::command::errors::EngineError;
use crate::effects::EffectError;
use crate::landing::post_landing::PostLanding;
use crate::landing::post_landing::revert_effect::TASK_TRAILER;
use crate::landing::post_landing::successor::{SuccessorOutcome, SuccessorRequest};
use crate::workspace::locate::commit_signature;
use forge_domain::task::{MergeConfig, OriginTask, TaskSnapshot};
use forge_domain::workflow::TaskStanding;
use forge_domain::{Actor, Refusal, TaskCommand, TaskId};
use forge_git::{ObjectId, SquashOutcome};

const LONGEST_TITLE: usize = 500;

/// The landed commits to revert.
struct RevertSource {
    commit: String,
    target: String,
    /// The first commit before the landing, set if the work landed without Forge.
    before: Option<String>,
}

impl RevertSource {
    /// Takes the landing outside Forge if there is one, else the landing that Forge made.
    fn from_task(task: &TaskSnapshot) -> Option<Self> {
        if let Some(outside) = task.outside_landing() {
            let word = |name: &str| Some(outside.details.get(name)?.as_str()?.to_owned());
            return Some(Self {
                commit: word("commit")?,
                target: word("target")?,
                before: word("before"),
            });
        }
        let landed = task.post_landing.landed.clone()?;
        Some(Self { commit: landed.commit?, target: landed.target, before: None })
    }
}

impl PostLanding {
    /// Creates the task that reverts this task's landing, or returns the existing one.
    pub async fn revert(
        &self,
        actor: Actor,
        task: TaskId,
    ) -> Result<SuccessorOutcome, EngineError> {
        let known = self.records.task(task).await?;
        let key = known.key();
        let Some(RevertSource { commit, target, before }) = RevertSource::from_task(&known) else {
            return Err(Refusal::NotLanded { key, what: "revert" }.into());
        };
        let open = match known.post_landing.reverted_by {
            Some(first) => self.records.task(first).await?.standing != TaskStanding::Ended,
            None => false,
        };
        if !open && before.is_none() && self.is_reverted(&known, &commit).await {
            return Err(Refusal::NothingToRevert { key, target }.into());
        }
        let title = format!("Revert \"{}\"", known.title);
        let spec = TaskSpec {
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
            origin: Some(OriginTask::Revert { of: task, commit, before }),
            ..TaskSpec::default()
        };
        let request = SuccessorRequest {
            landed: task,
            project: known.project_id,
            spec,
            find_existing: |landed| landed.post_landing.reverted_by,
            inform_command: Box::new(|by| TaskCommand::Revert { by }),
        };
        self.create_successor(actor, request, None).await
    }

    /// Whether the target no longer contains any change of a landed commit. Returns false if git cannot tell.
    async fn is_reverted(&self, task: &TaskSnapshot, commit: &str) -> bool {
        let looked = async {
            let (repo, _, tip) = self.repos.fetch_target_of(task).await?;
            let landed = ObjectId::new(commit.to_owned())
                .map_err(|error| EffectError::workspace(error.to_string()))?;
            let signature = commit_signature("Forge", task.updated_at.millis())?;
            let id = task.id.to_string();
            let inverse = repo.make_revert(&landed, (TASK_TRAILER, &id), &signature).await?;
            let result = repo.try_revert(&tip, &inverse, &landed).await?;
            Ok::<_, EffectError>(result == SquashOutcome::AlreadyMerged)
        };
        looked.await.unwrap_or(false)
    }
}
