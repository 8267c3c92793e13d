//! How a task is checked and landed, in requests and in answers (SPEC T-1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a task is checked at a gate.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewConfig {
    /// Shell commands that run in order in the workspace; none at all passes.
    #[serde(default)]
    pub ci_steps: Vec<String>,
    /// What the reviewing agent is asked.
    #[serde(default)]
    pub review_prompt: Option<String>,
    /// Shell commands that prepare the workspace before the checks.
    #[serde(default)]
    pub setup_steps: Vec<String>,
    /// Stops a step that takes longer; `null` for the server's default.
    #[serde(default)]
    pub timeout_seconds: Option<u64>,
}

/// How a branch is landed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MergeStrategy {
    /// One commit with all changes.
    #[default]
    Squash,
    /// A merge commit.
    Merge,
    /// The branch's commits again, on top of the target.
    Rebase,
}

/// Where and how a task's branch is landed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MergeConfig {
    /// The branch it lands on; `null` for the repository's default branch.
    #[serde(default)]
    pub target_branch: Option<String>,
    /// How it lands.
    #[serde(default)]
    pub strategy: MergeStrategy,
}
