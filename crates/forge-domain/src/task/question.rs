//! Questions to the person in charge (T-27).

use crate::task::ExecutionPurpose;
use crate::workflow::RoleName;
use crate::{Actor, ExecutionId, Timestamp};
use serde::{Deserialize, Serialize};

/// A question without an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenQuestion {
    /// Number of the question within the task, from 1.
    pub number: u32,
    /// Text of the question.
    pub text: String,
    pub by: Actor,
    /// The execution that asked it; for a person's question the task's last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<ExecutionId>,
    /// Role of that execution. The answer is a message to this role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<RoleName>,
    /// Whether the asking program waits for the answer and fetches it by itself. Then the answer is not sent to the
    /// running agent as well.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_awaited: bool,
    pub at: Timestamp,
}

/// The turn that starts when the last open question has its answer. Its execution ended without it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerTurn {
    pub role: RoleName,
    pub purpose: ExecutionPurpose,
}
