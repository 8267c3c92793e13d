//! An execution that starts later by itself. It does not use up any agent's capacity while it waits.

use crate::task::{ExecutionPurpose, FollowUpMessage};
use crate::workflow::RoleName;
use crate::{AgentId, Timestamp};
use serde::{Deserialize, Serialize};

/// A postponed execution and the cause of its wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostponedExecution {
    pub role: RoleName,
    pub agent: AgentId,
    pub purpose: ExecutionPurpose,
    /// The conversation that it continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<FollowUpMessage>,
    /// Additional messages for the agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// Cause of the wait.
    pub cause: PostponeCause,
}

/// Why an execution does not start at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum PostponeCause {
    /// The agent's quota is used up (E-9).
    Quota {
        /// Time of the next attempt.
        until: Timestamp,
    },
    /// The agent is not signed in (E-9). The execution starts when the agent is resumed or a probe finds it signed in.
    Login,
    /// A budget is used up (E-8).
    Budget,
}
