//! Messages to running agents (SPEC T-22).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{ActorView, Task};

/// Request to send a message to a running agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewSteer {
    /// Text of the message.
    #[schema(min_length = 1, max_length = 100_000)]
    pub message: String,
}

/// How a message reaches the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SteerDelivery {
    /// During the current execution; a message that the agent has not read by its end goes to the next execution.
    Live,
    /// With the next execution, which starts when the current one ends.
    NextTurn,
}

/// Answer to sending a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SteerResponse {
    /// How the message reaches the agent.
    pub delivery: SteerDelivery,
    /// The task after the request.
    pub task: Task,
}

/// A message that no agent is known to have read yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QueuedMessage {
    pub id: Uuid,
    /// The execution that it was sent to.
    pub execution_id: Uuid,
    /// Text of the message.
    pub message: String,
    /// How the message reaches the agent.
    pub delivery: SteerDelivery,
    /// The author of the message.
    pub by: ActorView,
    /// Time of sending.
    #[schema(format = DateTime)]
    pub at: String,
}
