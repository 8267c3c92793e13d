//! Claiming a task (SPEC T-3).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Execution, Task};

/// Claims a task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Claim {
    /// The agent that will work; left out, the caller claims for themselves and no process starts.
    #[serde(default)]
    pub agent_id: Option<Uuid>,
    /// Fields of the agent's executor that differ for this execution only.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub overrides: Option<Map<String, Value>>,
}

/// The claim worked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Claimed {
    /// The task after the claim.
    pub task: Task,
    /// The execution the claim created.
    pub execution: Execution,
}
