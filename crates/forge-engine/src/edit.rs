//! Changing what a task says.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::task::{MergeConfig, MergeStrategy, Snapshot};
use forge_domain::{Actor, Command, TaskId, TaskPatch};
use forge_git::BranchName;

impl Engine {
    /// Changes a task's own fields (T-1), by the rules of a new one.
    pub async fn edit_task(
        &self,
        actor: Actor,
        task: TaskId,
        patch: TaskPatch,
    ) -> Result<Snapshot, EngineError> {
        if let Some(config) = &patch.merge_config {
            check(config)?;
        }
        self.handle(actor, task, Command::Update(patch)).await
    }
}

fn check(config: &MergeConfig) -> Result<(), EngineError> {
    if config.strategy == MergeStrategy::Rebase {
        return Err(EngineError::InvalidField {
            field: "merge_config.strategy",
            problem: "rebase is not available yet; use squash or merge".to_owned(),
        });
    }
    match &config.target_branch {
        None => Ok(()),
        Some(name) => match BranchName::new(name.clone()) {
            Ok(_) => Ok(()),
            Err(error) => Err(EngineError::InvalidField {
                field: "merge_config.target_branch",
                problem: error.to_string(),
            }),
        },
    }
}
