//! Handing a task to the next (SPEC T-20).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Actor, Assignee};

/// Lets go of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewHandoff {
    /// What was done and what stands in the way; every later prompt contains it.
    pub message: String,
}

/// A note from one hand to the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Handoff {
    /// Who wrote it.
    pub by: Actor,
    /// Who carried the task until then.
    #[schema(required)]
    pub from: Option<Assignee>,
    /// What was done and what stands in the way.
    pub message: String,
    /// The branch the work is on.
    #[schema(required)]
    pub branch: Option<String>,
    /// The worktree the work is in.
    #[schema(required)]
    pub worktree: Option<String>,
    /// The last execution before it.
    #[schema(required)]
    pub last_execution: Option<Uuid>,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
}
