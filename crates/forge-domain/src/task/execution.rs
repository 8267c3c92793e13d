//! The executions that a task's snapshot refers to.

use crate::task::ExecutionOverrides;
use crate::workflow::RoleName;
use crate::{AgentId, Assignee, ExecutionId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An execution of a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskExecution {
    pub execution: ExecutionId,
    pub role: RoleName,
    pub assignee: Assignee,
    pub purpose: ExecutionPurpose,
    /// The conversation that it continues; `None` for a new one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<FollowUpMessage>,
    /// Additional messages for the agent, if they are not part of a conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// Ids of the steer messages that it receives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steers: Vec<Uuid>,
    /// What the claim changes about the agent's settings.
    #[serde(default, skip_serializing_if = "ExecutionOverrides::is_empty")]
    pub overrides: Box<ExecutionOverrides>,
}

/// A message in a conversation that an earlier execution began (E-7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowUpMessage {
    /// The agent program's id of the conversation.
    pub session: String,
    /// Text of the message.
    pub message: String,
}

/// A conversation of an agent's program that can be continued.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentSession {
    pub agent: AgentId,
    /// The agent program's id of the conversation.
    pub id: String,
}

/// The purpose of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionPurpose {
    /// Changes the files.
    Work,
    /// Judges the changes.
    Judge,
}
