//! The engine's current activity for a task. There is one slot: a task never has two activities at once.

use crate::{ExecutionId, ReviewId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The engine's current activity for a task; each has an effect row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskActivity {
    /// The workspace is being prepared for this execution.
    Preparing { execution: ExecutionId },
    /// The agent's program is running.
    Running { execution: ExecutionId },
    /// The checks of a review are running.
    Checking { review: ReviewId },
    /// The branch is being landed.
    Landing,
    /// The workspace is being removed.
    Cleaning,
    /// The target is being merged into the branch.
    Rebasing,
    /// The revert of another task's landing is being applied to the branch.
    Reverting,
    /// The ordered turns in its workspace are being stopped; the work of the state starts after that.
    EndingTurns,
    /// The previous activity is being stopped; the work of the state starts after that.
    Stopping {
        /// Mark in the environment of the processes.
        mark: Uuid,
    },
}

impl TaskActivity {
    /// Mark by which the processes of this activity are found, if it has any.
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
