//! The pull request by which a task lands (M-16).

use serde::{Deserialize, Serialize};

/// A pull request as last read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullRequest {
    /// Its number in its repository.
    pub number: u64,
    /// URL of its page.
    pub url: String,
    pub state: PullRequestState,
    /// What an open pull request waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<PullRequestWait>,
    /// The commit that was pushed for it last. Only this commit may be overwritten by a push.
    pub head: String,
}

/// State of a pull request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PullRequestState {
    Open,
    Merged,
    /// Closed without a merge.
    Closed,
}

/// What an open pull request waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PullRequestWait {
    /// Its checks are running or have not started.
    Checks,
    /// The rules of its target, such as an approval.
    Rules,
    /// It is marked as a draft.
    Draft,
    /// The host has not yet determined whether it can be merged.
    Mergeability,
    /// Landing is paused in the project (M-13).
    Pause,
}
