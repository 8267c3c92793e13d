//! Regressions: a landing that broke something, and the task that fixes it.

use crate::admin::TaskSpec;
use crate::command::errors::EngineError;
use crate::effects::EffectError;
use crate::effects::lease::EffectLease;
use crate::landing::post_landing::PostLanding;
use crate::landing::post_landing::successor::{SuccessorOutcome, SuccessorRequest};
use forge_domain::task::{MergeConfig, OriginTask, RegressionCheck, TaskSnapshot};
use forge_domain::{Actor, Refusal, TaskCommand, TaskId};
use forge_git::ObjectId;

const LONGEST_TITLE: usize = 500;
const MOST_FILES: usize = 200;

impl PostLanding {
    /// Reports that a task's landing broke something. Creates the fix task, or returns the existing one.
    pub async fn regress(
        &self,
        actor: Actor,
        task: TaskId,
        reason: String,
    ) -> Result<SuccessorOutcome, EngineError> {
        self.record_regression(actor, task, reason, Vec::new(), None).await
    }

    pub(crate) async fn record_regression(
        &self,
        actor: Actor,
        task: TaskId,
        reason: String,
        checks: Vec<RegressionCheck>,
        effect: Option<EffectLease>,
    ) -> Result<SuccessorOutcome, EngineError> {
        let known = self.records.task(task).await?;
        let commit = known.post_landing.landed.as_ref().and_then(|landed| landed.commit.clone());
        let Some(commit) = commit else {
            return Err(Refusal::NotLanded { key: known.key(), what: "mend" }.into());
        };
        let title = format!("Fix what \"{}\" broke", known.title);
        let spec = TaskSpec {
            title: title.chars().take(LONGEST_TITLE).collect(),
            description: self.describe_regression(&known, &commit, &reason, &checks).await,
            repo_id: known.repo_id,
            kind: known.kind,
            priority: known.priority,
            labels: known.labels.clone(),
            review_config: Some(known.review_config.clone()),
            merge_config: MergeConfig {
                target_branch: known.merge_config.target_branch.clone(),
                ..MergeConfig::default()
            },
            origin: Some(OriginTask::Fix { of: task }),
            ..TaskSpec::default()
        };
        let tell =
            move |fix| TaskCommand::Regress { reason: reason.clone(), checks: checks.clone(), fix };
        let request = SuccessorRequest {
            landed: task,
            project: known.project_id,
            spec,
            find_existing: |landed| {
                landed.post_landing.regression.as_ref().map(|broken| broken.fix)
            },
            inform_command: Box::new(tell),
        };
        self.create_successor(actor, request, effect).await
    }

    /// Builds the description of the fix task: what landed, what failed, and which files changed.
    async fn describe_regression(
        &self,
        task: &TaskSnapshot,
        commit: &str,
        reason: &str,
        checks: &[RegressionCheck],
    ) -> String {
        let target = task.post_landing.landed.as_ref().map_or("", |landed| landed.target.as_str());
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
        match self.load_landed_files(task, commit).await {
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

    async fn load_landed_files(
        &self,
        task: &TaskSnapshot,
        commit: &str,
    ) -> Result<Vec<String>, EffectError> {
        let repo = self.repos.open_task_repo(task).await?;
        let landed = ObjectId::new(commit.to_owned())
            .map_err(|error| EffectError::workspace(error.to_string()))?;
        let id = task.id.to_string();
        let before = repo
            .commit_before_series(
                &landed,
                (crate::landing::post_landing::revert_effect::TASK_TRAILER, &id),
            )
            .await?;
        Ok(repo.changed_paths(&before, &landed).await?.into_iter().collect())
    }
}
