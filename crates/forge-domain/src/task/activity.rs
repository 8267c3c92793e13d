//! What the engine is doing for a task right now. One slot: a task never has two things done to it at once.

use crate::{ExecutionId, ReviewId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The engine's present business with a task; each has an effect row behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Activity {
    /// The workspace is being made for this execution.
    Preparing {
        /// For which execution.
        execution: ExecutionId,
    },
    /// The agent's program runs.
    Running {
        /// Which execution.
        execution: ExecutionId,
    },
    /// The checks of a review run.
    Checking {
        /// Which review.
        review: ReviewId,
    },
    /// The branch is being landed.
    Landing,
    /// The workspace is being removed.
    Cleaning,
    /// The target is being merged into the branch.
    Rebasing,
    /// The branch is being given the inverse of what another task landed.
    Reverting,
    /// The turns that others take in its workspace are being ended; the state's own business begins after that.
    EndingTurns,
    /// What was under way is being ended; the state's own business begins after that.
    Stopping {
        /// The mark its processes carry.
        mark: Uuid,
    },
}

impl Activity {
    /// The mark by which the processes of this activity are found, if it has any.
    pub fn mark(&self) -> Option<Uuid> {
        match self {
            Self::Preparing { execution } | Self::Running { execution } => Some(execution.uuid()),
            Self::Checking { review } => Some(review.uuid()),
            Self::Stopping { mark } => Some(*mark),
            Self::Landing
            | Self::Cleaning
            | Self::Rebasing
            | Self::Reverting
            | Self::EndingTurns => None,
        }
    }
}
