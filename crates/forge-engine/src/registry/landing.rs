//! What can be said about how a task lands.

use crate::errors::EngineError;
use forge_domain::task::MergeConfig;
use forge_git::BranchName;

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
