//! Settings of a task's review and landing.

use serde::{Deserialize, Serialize};

/// Settings of the gate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReviewConfig {
    /// Shell commands of the checks, run in order; the first failure rejects the work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ci_steps: Vec<String>,
    /// Instructions for the reviewer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review_prompt: Option<String>,
    /// Commands before the checks; their failure does not count against the task.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub setup_steps: Vec<String>,
    /// Time limit of one command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_seconds: Option<u64>,
    /// Whether work without changes is reviewed like any other, instead of waiting for a person (E-6).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub allow_no_changes: bool,
}

/// Target and strategy of the landing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MergeConfig {
    /// The target branch; the repository's default branch when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_branch: Option<String>,
    #[serde(default)]
    pub strategy: MergeStrategy,
}

impl ReviewConfig {
    /// Whether all fields have their default.
    pub(crate) fn is_blank(&self) -> bool {
        *self == Self::default()
    }
}

impl MergeConfig {
    /// Whether all fields have their default.
    pub(crate) fn is_blank(&self) -> bool {
        *self == Self::default()
    }
}

/// How the branch is merged into its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MergeStrategy {
    /// One commit with the whole change.
    #[default]
    Squash,
    /// A merge commit.
    Merge,
    /// The commits one by one on top of the target.
    Rebase,
}
