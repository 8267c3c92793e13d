//! What can be said about how a task lands.

use crate::errors::EngineError;
use forge_domain::task::{MergeConfig, MergeStrategy};
use forge_git::BranchName;

/// Refuses what could only fail later, when the work is done.
pub(super) fn check(config: &MergeConfig) -> Result<(), EngineError> {
    if config.strategy == MergeStrategy::Rebase {
        let problem = "rebase is not available yet; use squash or merge".to_owned();
        return Err(EngineError::InvalidField { field: "merge_config.strategy", problem });
    }
    if let Some(name) = &config.target_branch {
        BranchName::new(name.clone()).map_err(|error| EngineError::InvalidField {
            field: "merge_config.target_branch",
            problem: error.to_string(),
        })?;
    }
    Ok(())
}
