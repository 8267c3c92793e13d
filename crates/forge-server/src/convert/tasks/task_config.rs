//! Converts review and merge configurations.

use forge_api::{MergeConfig, MergeStrategy, ReviewConfig};
use forge_domain::task;

use crate::convert::text::{check_text, invalid_field_value};
use crate::error::api_error::ApiError;

const LONGEST_TIMEOUT_SECONDS: u64 = 7 * 24 * 60 * 60;

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

/// Converts a review configuration from the wire type.
pub(crate) fn domain_review_config(config: ReviewConfig) -> Result<task::ReviewConfig, ApiError> {
    let prompt = config.review_prompt;
    let timeout = config.timeout_seconds;
    if timeout.is_some_and(|seconds| !(1..=LONGEST_TIMEOUT_SECONDS).contains(&seconds)) {
        let problem = format!("must be between 1 and {LONGEST_TIMEOUT_SECONDS}");
        return Err(invalid_field_value("review_config.timeout_seconds", &problem));
    }
    Ok(task::ReviewConfig {
        ci_steps: commands("review_config.ci_steps", config.ci_steps)?,
        review_prompt: prompt
            .map(|prompt| check_text("review_config.review_prompt", prompt))
            .transpose()?,
        setup_steps: commands("review_config.setup_steps", config.setup_steps)?,
        timeout_seconds: timeout,
        allow_no_changes: config.allow_no_changes,
    })
}

fn commands(path: &str, commands: Vec<String>) -> Result<Vec<String>, ApiError> {
    if commands.iter().any(|command| command.trim().is_empty()) {
        return Err(invalid_field_value(path, "a command cannot be empty; remove it"));
    }
    commands.into_iter().map(|command| check_text(path, command)).collect()
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
