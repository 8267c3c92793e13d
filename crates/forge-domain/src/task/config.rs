//! How a task is checked and how it lands.

use serde::{Deserialize, Serialize};

/// What happens at a gate.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ReviewConfig {
    /// Shell commands, run in order; the first that fails rejects.
    #[serde(default)]
    pub ci_steps: Vec<String>,
    /// What the reviewer is asked.
    #[serde(default)]
    pub review_prompt: Option<String>,
    /// Commands before the checks; their failure is not the task's fault.
    #[serde(default)]
    pub setup_steps: Vec<String>,
    /// How long one step may take.
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
}

/// Where and how a task lands.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MergeConfig {
    /// The branch to land on; the repository's default branch when absent.
    #[serde(default)]
    pub target_branch: Option<String>,
    /// How.
    #[serde(default)]
    pub strategy: MergeStrategy,
}

/// How a branch becomes part of its target.
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
