//! Messages to agents at work (SPEC T-22).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Actor, Task};

/// A message to an agent at work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewSteer {
    /// What it is told.
    pub message: String,
}

/// How a message reaches the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SteerDelivery {
    /// In the middle of its turn; what it does not take before its end is told by the next.
    Live,
    /// By the next turn, which begins when this one is over.
    NextTurn,
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Steered {
    /// How it reaches the agent.
    pub delivery: SteerDelivery,
    /// The task.
    pub task: Task,
}

/// A message that no agent is known to have read yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QueuedMessage {
    /// Identifier.
    pub id: Uuid,
    /// The run it was meant for.
    pub execution_id: Uuid,
    /// What is said.
    pub message: String,
    /// How it reaches the agent.
    pub delivery: SteerDelivery,
    /// Who said it.
    pub by: Actor,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
}
