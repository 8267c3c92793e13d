//! What can be said about how a task lands.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::TaskId;
use forge_domain::task::{MergeConfig, Snapshot};
use forge_git::BranchName;
use forge_store::tables;

/// Refuses what could only fail later, when the work is done.
pub(super) fn check(config: &MergeConfig) -> Result<(), EngineError> {
    if let Some(name) = &config.target_branch {
        BranchName::new(name.clone()).map_err(|error| EngineError::InvalidField {
            field: "merge_config.target_branch",
            problem: error.to_string(),
        })?;
    }
    Ok(())
}

impl Engine {
    /// Has the pull request of a task looked at now, if it waits for one (M-16). The task, as it is before that.
    pub async fn look_at_pull_request(&self, id: TaskId) -> Result<Snapshot, EngineError> {
        let (task, now) = (self.task(id).await?, self.now());
        if task.waits_for_a_pull_request() {
            let hastened = self.0.db.write(move |tx| {
                Box::pin(async move { tables::effects::hasten_landing(tx, id, now).await })
            });
            hastened.await?;
        }
        Ok(task)
    }
}
