//! Dependencies between tasks (SPEC T-16).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::TaskPhase;

/// Request to make a task wait for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewDependency {
    /// The task to wait for.
    pub depends_on_id: Uuid,
}

/// A dependency of one task on another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskDependency {
    /// The task that waits.
    pub task_id: Uuid,
    /// The task it waits for.
    pub depends_on_id: Uuid,
    /// Workflow state of the task it waits for.
    pub status: String,
    /// Board phase of that state.
    pub phase: TaskPhase,
    /// Whether the dependency no longer blocks the task.
    pub satisfied: bool,
}
