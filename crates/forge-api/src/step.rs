//! Durable steps: what the engine still has to do for a task (SPEC M-1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// How far a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepState {
    /// Waits for its turn or its next attempt.
    Pending,
    /// A node holds its lease.
    Running,
    /// Finished.
    Done,
    /// Given up; the task waits for a person.
    Failed,
    /// Not needed any more.
    Cancelled,
}

/// Who performs a step now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lease {
    /// The Forge process.
    pub node: String,
    /// When it runs out unless renewed.
    #[schema(format = DateTime)]
    pub until: String,
}

/// One side effect that follows a change of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Step {
    /// Identifier.
    pub id: Uuid,
    /// The task.
    pub task_id: Uuid,
    /// What is to be done.
    pub kind: String,
    /// How far it is.
    pub state: StepState,
    /// How often it was tried.
    pub attempts: u32,
    /// It is not tried before this.
    #[schema(format = DateTime, required)]
    pub not_before: Option<String>,
    /// Who performs it now.
    #[schema(required)]
    pub lease: Option<Lease>,
    /// Why the last attempt failed.
    #[schema(required)]
    pub last_error: Option<String>,
    /// When it was recorded.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it ended.
    #[schema(format = DateTime, required)]
    pub finished_at: Option<String>,
}
