//! What a landing broke, and the task that mends it.

use super::successor::{Succession, Successor};
use crate::commit::Claimed;
use crate::effects::Failure;
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::registry::NewTask;
use forge_domain::task::{FailedCheck, MergeConfig, Origin, Snapshot};
use forge_domain::{Actor, Command, Refusal, TaskId};
use forge_git::ObjectId;

const LONGEST_TITLE: usize = 500;
const MOST_FILES: usize = 200;

impl Engine {
    /// Says that what a task landed broke something; makes the task that mends it, or names the one that does already.
    pub async fn regress(
        &self,
        actor: Actor,
        task: TaskId,
        reason: String,
    ) -> Result<Successor, EngineError> {
        self.regressed(actor, task, reason, Vec::new(), None).await
    }

    pub(crate) async fn regressed(
        &self,
        actor: Actor,
        task: TaskId,
        reason: String,
        checks: Vec<FailedCheck>,
        step: Option<Claimed>,
    ) -> Result<Successor, EngineError> {
        let known = self.task(task).await?;
        let commit = known.aftermath.landed.as_ref().and_then(|landed| landed.commit.clone());
        let Some(commit) = commit else {
            return Err(Refusal::NotLanded { key: known.key(), what: "mend" }.into());
        };
        let title = format!("Fix what \"{}\" broke", known.title);
        let asked = NewTask {
            title: title.chars().take(LONGEST_TITLE).collect(),
            description: self.describe(&known, &commit, &reason, &checks).await,
            repo_id: known.repo_id,
            kind: known.kind,
            priority: known.priority,
            labels: known.labels.clone(),
            review_config: Some(known.review_config.clone()),
            merge_config: MergeConfig {
                target_branch: known.merge_config.target_branch.clone(),
                ..MergeConfig::default()
            },
            origin: Some(Origin::Fix { of: task }),
            ..NewTask::default()
        };
        let tell =
            move |fix| Command::Regress { reason: reason.clone(), checks: checks.clone(), fix };
        let succession = Succession {
            landed: task,
            project: known.project_id,
            asked,
            known: |landed| landed.aftermath.regression.as_ref().map(|broken| broken.fix),
            tell: Box::new(tell),
        };
        self.succeed(actor, succession, step).await
    }

    /// What whoever mends it has to know.
    async fn describe(
        &self,
        task: &Snapshot,
        commit: &str,
        reason: &str,
        checks: &[FailedCheck],
    ) -> String {
        let target = task.aftermath.landed.as_ref().map_or("", |landed| landed.target.as_str());
        let mut text = format!(
            "{} \"{}\" landed on {target} as {commit}, and broke something:\n\n{}\n",
            task.key(),
            task.title,
            reason.trim()
        );
        if !checks.is_empty() {
            text.push_str("\nChecks that failed:\n");
            for check in checks {
                let log = check.url.as_ref().map(|url| format!(": {url}")).unwrap_or_default();
                text.push_str(&format!("- {}{log}\n", check.name));
            }
        }
        match self.landed_files(task, commit).await {
            Ok(files) if !files.is_empty() => {
                text.push_str("\nFiles it changed:\n");
                for file in files.iter().take(MOST_FILES) {
                    text.push_str(&format!("- {file}\n"));
                }
                if files.len() > MOST_FILES {
                    text.push_str(&format!("- and {} more\n", files.len() - MOST_FILES));
                }
            }
            _ => {}
        }
        text
    }

    async fn landed_files(&self, task: &Snapshot, commit: &str) -> Result<Vec<String>, Failure> {
        let repo = self.repo_of(task).await?;
        let landed = ObjectId::new(commit.to_owned())
            .map_err(|error| Failure::workspace(error.to_string()))?;
        let id = task.id.to_string();
        let before = repo.before_series(&landed, (crate::effects::TASK_TRAILER, &id)).await?;
        Ok(repo.changed_paths(&before, &landed).await?.into_iter().collect())
    }
}
