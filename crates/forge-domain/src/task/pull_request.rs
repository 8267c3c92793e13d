//! The pull request by which a task lands (M-16).

use serde::{Deserialize, Serialize};

/// A pull request as it was seen last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullRequest {
    /// Its number in its repository.
    pub number: u64,
    /// Its page.
    pub url: String,
    /// How far it is.
    pub state: PullRequestState,
    /// What it waits for, while it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits_for: Option<PullRequestWait>,
    /// The commit that was pushed for it last: only that may be pushed over.
    pub head: String,
}

/// How far a pull request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PullRequestState {
    /// Neither of the others.
    Open,
    /// Its target has it.
    Merged,
    /// Somebody closed it without merging.
    Closed,
}

/// What an open pull request waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PullRequestWait {
    /// Its checks are not over, or have not begun.
    Checks,
    /// The rules of its target: an approval, for instance.
    Rules,
    /// Somebody made it a draft.
    Draft,
    /// The other side has yet to find out whether it fits.
    Mergeability,
    /// The project lets nothing land for now (M-13).
    Pause,
}
