//! Converts review and merge configurations.

use forge_api::{MergeConfig, MergeStrategy, ReviewConfig};
use forge_domain::task;

use crate::convert::text::invalid_field_value;
use crate::error::api_error::ApiError;

/// Converts a review configuration to the wire type.
pub(crate) fn review_config(config: &task::ReviewConfig) -> ReviewConfig {
    ReviewConfig {
        ci_steps: config.ci_steps.clone(),
        review_prompt: config.review_prompt.clone(),
        setup_steps: config.setup_steps.clone(),
        timeout_seconds: config.timeout_seconds,
        allow_no_changes: config.allow_no_changes,
    }
}

/// Converts a review configuration from the wire type, and checks it.
pub(crate) fn domain_review_config(asked: ReviewConfig) -> Result<task::ReviewConfig, ApiError> {
    let config = unchecked_review_config(asked);
    match config.problems().into_iter().next() {
        Some((field, problem)) => {
            Err(invalid_field_value(&format!("review_config.{field}"), &problem))
        }
        None => Ok(config),
    }
}

/// Converts a review configuration from the wire type.
pub(crate) fn unchecked_review_config(asked: ReviewConfig) -> task::ReviewConfig {
    let ReviewConfig { ci_steps, review_prompt, setup_steps, timeout_seconds, allow_no_changes } =
        asked;
    task::ReviewConfig { ci_steps, review_prompt, setup_steps, timeout_seconds, allow_no_changes }
}

/// Converts a merge configuration to the wire type.
pub(crate) fn merge_config(config: &task::MergeConfig) -> MergeConfig {
    MergeConfig {
        target_branch: config.target_branch.clone(),
        strategy: match config.strategy {
            task::MergeStrategy::Squash => MergeStrategy::Squash,
            task::MergeStrategy::Merge => MergeStrategy::Merge,
            task::MergeStrategy::Rebase => MergeStrategy::Rebase,
        },
    }
}

/// Converts a merge configuration from the wire type.
pub(crate) fn domain_merge_config(config: MergeConfig) -> task::MergeConfig {
    task::MergeConfig {
        target_branch: config.target_branch,
        strategy: match config.strategy {
            MergeStrategy::Squash => task::MergeStrategy::Squash,
            MergeStrategy::Merge => task::MergeStrategy::Merge,
            MergeStrategy::Rebase => task::MergeStrategy::Rebase,
        },
    }
}
