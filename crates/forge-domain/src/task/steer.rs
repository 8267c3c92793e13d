//! Messages to running agents (T-22).

use crate::workflow::RoleName;
use crate::{Actor, ExecutionId, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A message that no agent is known to have read yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SteerMessage {
    /// Id of the message; the agent's program returns it when it reads the message.
    pub id: Uuid,
    /// The execution to which it was sent.
    pub execution: ExecutionId,
    /// Role of that execution; the next execution in the role receives unread messages.
    pub role: RoleName,
    /// Text of the message.
    pub message: String,
    /// Whether the agent program accepts messages while it runs.
    pub live: bool,
    /// Number of the question that it answers (T-27).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<u32>,
    pub by: Actor,
    pub at: Timestamp,
}
