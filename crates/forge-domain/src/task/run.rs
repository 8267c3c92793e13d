//! The execution a task has under way.

use crate::workflow::RoleName;
use crate::{AgentId, Assignee, ExecutionId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// One execution that has not ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Which execution.
    pub execution: ExecutionId,
    /// In which role.
    pub role: RoleName,
    /// By whom.
    pub assignee: Assignee,
    /// What for.
    pub purpose: Purpose,
    /// The conversation it goes on with; none for one that begins anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follow_up: Option<FollowUp>,
    /// What was left to say to the role, if it is not said in a conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
    /// The messages that it is told with the above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steers: Vec<Uuid>,
}

/// A message in a conversation that an earlier execution began (E-7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FollowUp {
    /// The program's own name for the conversation.
    pub session: String,
    /// What it is told.
    pub message: String,
}

/// A conversation that an agent's program has come to the end of a turn in, and can go on with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    /// Whose.
    pub agent: AgentId,
    /// The program's own name for it.
    pub id: String,
}

/// What an execution is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To change the tree.
    Work,
    /// To judge the change.
    Judge,
}
