//! The pull request of a task (SPEC M-16).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How branches of a project land.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MergeMode {
    /// Forge updates the target branch itself and pushes it.
    #[default]
    Direct,
    /// Forge opens, watches and merges a pull request on GitHub.
    PullRequest,
}

/// State of a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PullRequestState {
    /// Neither merged nor closed.
    Open,
    /// Merged into its target.
    Merged,
    /// Closed without merging.
    Closed,
}

/// What an open pull request waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PullRequestWait {
    /// Checks on GitHub.
    Checks,
    /// The rules of its target branch, for example an approval.
    Rules,
    /// The end of its draft state.
    Draft,
    /// GitHub's answer whether it can be merged.
    Mergeability,
    /// The end of the project's landing pause.
    Pause,
}

/// A pull request as of the last check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PullRequest {
    /// Number in its repository.
    pub number: u64,
    /// Address of its page.
    pub url: String,
    /// State of the pull request.
    pub state: PullRequestState,
    /// What it waits for; `null` if nothing is known.
    #[schema(required)]
    pub waits_for: Option<PullRequestWait>,
    /// The commit that Forge pushed for it.
    pub head: String,
}
