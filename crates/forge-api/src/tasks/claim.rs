//! Claiming a task (SPEC T-3).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{ClaimOverrides, Execution, Task};

/// Request to claim a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClaimRequest {
    /// The agent that will work. If left out, the caller claims the task personally and no process starts.
    #[serde(default)]
    pub agent_id: Option<Uuid>,
    /// Settings of the agent that this claim overrides.
    #[serde(default)]
    pub overrides: Option<ClaimOverrides>,
}

/// Answer to a successful claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ClaimResponse {
    /// The task after the claim.
    pub task: Task,
    /// The execution that the claim created.
    pub execution: Execution,
}
