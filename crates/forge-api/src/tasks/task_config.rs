//! Review and merge configuration of a task, in requests and answers (SPEC T-1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a gate reviews a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewConfig {
    /// Shell commands that run in order in the workspace; an empty list passes.
    #[serde(default)]
    pub ci_steps: Vec<String>,
    /// Instructions for the reviewing agent.
    #[serde(default)]
    pub review_prompt: Option<String>,
    /// Shell commands that prepare the workspace before the checks.
    #[serde(default)]
    pub setup_steps: Vec<String>,
    /// Time limit of one command; `null` for the server's default.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 604_800)]
    pub timeout_seconds: Option<u64>,
    /// Whether work without any change is reviewed like other work, instead of waiting for a person.
    #[serde(default)]
    pub allow_no_changes: bool,
}

/// How a branch lands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MergeStrategy {
    /// One commit with all changes.
    #[default]
    Squash,
    /// A merge commit.
    Merge,
    /// The branch's commits, rebased onto the target.
    Rebase,
}

/// Where and how a task's branch lands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct MergeConfig {
    /// The branch it lands on; `null` for the repository's default branch.
    #[serde(default)]
    pub target_branch: Option<String>,
    /// How the branch lands.
    #[serde(default)]
    pub strategy: MergeStrategy,
}
