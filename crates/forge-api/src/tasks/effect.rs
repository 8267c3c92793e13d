//! Effects: durable work that the engine does for a task (SPEC M-1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// State of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectState {
    /// Waits for its turn or its next attempt.
    Pending,
    /// A node holds its lease.
    Running,
    /// It is finished.
    Done,
    /// Given up; the task waits for a person.
    Failed,
    /// No longer needed.
    Cancelled,
}

/// The lease of a node on an effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LeaseView {
    /// The Forge process that holds the lease.
    pub node: String,
    /// When the lease expires unless renewed.
    #[schema(format = DateTime)]
    pub until: String,
}

/// One effect: durable work that follows a change of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EffectView {
    pub id: Uuid,
    /// The task it belongs to.
    pub task_id: Uuid,
    /// What the engine has to do.
    pub kind: String,
    /// State of the effect.
    pub state: EffectState,
    /// Number of attempts so far.
    pub attempts: u32,
    /// Earliest time of the next attempt.
    #[schema(format = DateTime, required)]
    pub not_before: Option<String>,
    /// The current lease; `null` if no node performs it.
    #[schema(required)]
    pub lease: Option<LeaseView>,
    /// Why the last attempt failed.
    #[schema(required)]
    pub last_error: Option<String>,
    /// When the effect was recorded.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When the effect ended.
    #[schema(format = DateTime, required)]
    pub finished_at: Option<String>,
}
