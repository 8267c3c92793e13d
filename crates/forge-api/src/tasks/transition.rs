//! Moving a task through its workflow (SPEC T-8 to T-10).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{ActorView, EffectView, Review, Task};

/// Request to move a task to another state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TransitionRequest {
    /// The new state.
    pub status: String,
    /// The version of the task that the caller read: if the task has changed since, the answer is `version_conflict`.
    /// If left out, the task moves whatever its version is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Why it moves; the history records it.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Request to hand in the work on a task. It moves along the `done` edge of its state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CompleteTask {
    /// The version of the task that the caller read; if left out, the task moves whatever its version is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// What was done; the history records it.
    #[serde(default)]
    pub reason: Option<String>,
}

/// One recorded change of a task's status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Transition {
    pub id: Uuid,
    /// The state before.
    pub from_state: String,
    /// The state after.
    pub to_state: String,
    /// The actor that moved the task.
    pub triggered_by: ActorView,
    /// Whether a gate rejected the task.
    pub rejection: bool,
    /// Why; for a rejection, the feedback.
    #[schema(required)]
    pub trigger_reason: Option<String>,
    /// Time of the change.
    #[schema(format = DateTime)]
    pub at: String,
}

/// Answer to a transition; its shape depends on the kind of the new state.
///
/// The order of the variants matters for deserialization: the plain task comes last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "expected a task, or an object with a task and its review or pending step"
)]
pub enum TransitionResponse {
    /// The task entered a gate and its checks have run.
    Gate {
        /// The task after the checks.
        task: Box<Task>,
        /// The attempt with the results of the checks.
        review: Box<Review>,
    },
    /// `Prefer: respond-async`: the move is recorded, its work is still pending.
    Pending {
        /// The task as it is now.
        task: Box<Task>,
        /// The effect that is still pending.
        step: Box<EffectView>,
    },
    /// Any other move: the task, after landing if it entered a merge state.
    Task(Box<Task>),
}
