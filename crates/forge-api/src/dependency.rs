//! What a task waits for (SPEC T-16).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Phase;

/// Makes a task wait for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewDependency {
    /// The task to wait for.
    pub depends_on_id: Uuid,
}

/// A task waits for another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Dependency {
    /// The task that waits.
    pub task_id: Uuid,
    /// The task it waits for.
    pub depends_on_id: Uuid,
    /// That task's workflow state.
    pub status: String,
    /// That task's part of the board.
    pub phase: Phase,
    /// Whether there is nothing left to wait for.
    pub satisfied: bool,
}
