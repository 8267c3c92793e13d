//! A task's merge configuration and pull request.

use crate::command::errors::EngineError;
use crate::landing::pull_request::pull_watch::PullRequests;
use forge_domain::TaskId;
use forge_domain::task::{MergeConfig, TaskSnapshot};
use forge_git::BranchName;
use forge_store::tables;

/// Refuses a configuration that could only fail at landing.
pub(crate) fn check(config: &MergeConfig) -> Result<(), EngineError> {
    if let Some(name) = &config.target_branch {
        BranchName::new(name.clone()).map_err(|error| EngineError::InvalidField {
            field: "merge_config.target_branch",
            problem: error.to_string(),
        })?;
    }
    Ok(())
}

impl PullRequests {
    /// Checks a task's pull request now, if it waits for one (M-16). Returns the task as it is before that.
    pub async fn check_pull_request_now(&self, id: TaskId) -> Result<TaskSnapshot, EngineError> {
        let (task, now) = (self.records.task(id).await?, self.clock.now());
        if task.waits_for_pull_request() {
            let hastened = self.db.write(move |tx| {
                Box::pin(async move { tables::effects::hasten_landing(tx, id, now).await })
            });
            hastened.await?;
        }
        Ok(task)
    }
}
