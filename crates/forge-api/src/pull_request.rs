//! The pull request by which a task lands (SPEC M-16).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// By what a project's branches land.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MergeMode {
    /// Forge moves the target branch itself, and pushes it.
    #[default]
    Direct,
    /// A pull request on GitHub is opened, watched and merged.
    PullRequest,
}

/// How far a pull request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PullRequestState {
    /// Neither merged nor closed.
    Open,
    /// Its target has it.
    Merged,
    /// Closed without merging.
    Closed,
}

/// What an open pull request waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PullRequestWait {
    /// Its checks.
    Checks,
    /// The rules of its target branch: an approval, for instance.
    Rules,
    /// That it is no draft any more.
    Draft,
    /// That GitHub finds out whether it fits.
    Mergeability,
    /// That the project lets tasks land again.
    Pause,
}

/// A pull request as it was seen last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PullRequest {
    /// Its number in its repository.
    pub number: u64,
    /// Its page.
    pub url: String,
    /// How far it is.
    pub state: PullRequestState,
    /// What it waits for; `null` if for nothing that is known.
    #[schema(required)]
    pub waits_for: Option<PullRequestWait>,
    /// The commit that was pushed for it.
    pub head: String,
}
