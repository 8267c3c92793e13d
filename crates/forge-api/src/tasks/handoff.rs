//! Handing a task off to another agent or user (SPEC T-20).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{ActorView, RoleAssignee};

/// Request to hand off a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewHandoff {
    /// What is done and what blocks the work; every later prompt contains it.
    #[schema(min_length = 1, max_length = 100_000)]
    pub message: String,
}

/// A note that one holder of a task leaves for the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HandoffView {
    /// The author of the note.
    pub by: ActorView,
    /// The agent or user that held the task.
    #[schema(required)]
    pub from: Option<RoleAssignee>,
    /// What is done and what blocks the work.
    pub message: String,
    /// The branch with the work.
    #[schema(required)]
    pub branch: Option<String>,
    /// The worktree with the work.
    #[schema(required)]
    pub worktree: Option<String>,
    /// The last execution before the handoff.
    #[schema(required)]
    pub last_execution: Option<Uuid>,
    /// Time of the handoff.
    #[schema(format = DateTime)]
    pub at: String,
}
