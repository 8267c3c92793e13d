//! A message to an agent at work (T-22).

use crate::workflow::RoleName;
use crate::{Actor, ExecutionId, Timestamp};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// A message that no agent is known to have read yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Steer {
    /// Its identity; a program says it back when it takes the message.
    pub id: Uuid,
    /// The run it was meant for.
    pub execution: ExecutionId,
    /// The role of that run; the next run in it is told what this one was not.
    pub role: RoleName,
    /// What is said.
    pub message: String,
    /// Whether the program can hear it while it works.
    pub live: bool,
    /// By whom.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
}
