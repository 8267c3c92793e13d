//! Moving a task through its workflow (SPEC T-8 to T-10).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Actor, Review, Step, Task};

/// Moves a task to another state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TransitionRequest {
    /// The state to move it to.
    pub status: String,
    /// The task's version the caller read.
    pub version: u64,
    /// Why, for the history.
    #[serde(default)]
    pub reason: Option<String>,
}

/// One recorded change of a task's status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Transition {
    /// Identifier.
    pub id: Uuid,
    /// The state before.
    pub from_state: String,
    /// The state after.
    pub to_state: String,
    /// Who did it.
    pub triggered_by: Actor,
    /// A gate turned the task back.
    pub rejection: bool,
    /// Why; for a rejection, the feedback.
    #[schema(required)]
    pub trigger_reason: Option<String>,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
}

/// What a transition answers; which shape depends on the kind of the state that was entered.
///
/// The order of the variants matters when reading: the plain task comes last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "expected a task, or an object with a task and its review or pending step"
)]
pub enum TransitionAnswer {
    /// A gate was entered and its checks have run.
    Gate {
        /// The task after the checks.
        task: Box<Task>,
        /// The checks' results.
        review: Box<Review>,
    },
    /// `Prefer: respond-async`: the move is recorded, its work is still to be done.
    Pending {
        /// The task as it is now.
        task: Box<Task>,
        /// The work that is still to be done.
        step: Box<Step>,
    },
    /// Any other move: the task, after landing if a merge state was entered.
    Task(Box<Task>),
}
