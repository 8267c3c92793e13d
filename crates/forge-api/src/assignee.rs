//! Who holds a role: exactly one agent or one user.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

/// Who holds a role. On the wire `{"agent_id": …, "user_id": null}` or the other way round; a request may leave the
/// `null` out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "AssigneeFields", into = "AssigneeFields")]
pub enum Assignee {
    /// An agent.
    Agent(Uuid),
    /// A person.
    User(Uuid),
}

/// Neither or both of `agent_id` and `user_id` were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("give exactly one of agent_id and user_id")]
pub struct NotOneAssignee;

impl Assignee {
    /// Reads the two fields that name an assignee wherever they occur.
    pub fn from_ids(agent_id: Option<Uuid>, user_id: Option<Uuid>) -> Result<Self, NotOneAssignee> {
        match (agent_id, user_id) {
            (Some(id), None) => Ok(Self::Agent(id)),
            (None, Some(id)) => Ok(Self::User(id)),
            (None, None) | (Some(_), Some(_)) => Err(NotOneAssignee),
        }
    }

    /// The agent, if it is one.
    pub fn agent_id(self) -> Option<Uuid> {
        match self {
            Self::Agent(id) => Some(id),
            Self::User(_) => None,
        }
    }

    /// The user, if it is one.
    pub fn user_id(self) -> Option<Uuid> {
        match self {
            Self::User(id) => Some(id),
            Self::Agent(_) => None,
        }
    }
}

/// Who holds a role: exactly one of the two is given.
#[derive(Serialize, Deserialize, ToSchema)]
struct AssigneeFields {
    /// An agent.
    #[serde(default)]
    agent_id: Option<Uuid>,
    /// A person.
    #[serde(default)]
    user_id: Option<Uuid>,
}

impl TryFrom<AssigneeFields> for Assignee {
    type Error = NotOneAssignee;

    fn try_from(fields: AssigneeFields) -> Result<Self, NotOneAssignee> {
        Self::from_ids(fields.agent_id, fields.user_id)
    }
}

impl From<Assignee> for AssigneeFields {
    fn from(assignee: Assignee) -> Self {
        Self { agent_id: assignee.agent_id(), user_id: assignee.user_id() }
    }
}

impl PartialSchema for Assignee {
    fn schema() -> RefOr<Schema> {
        AssigneeFields::schema()
    }
}

impl ToSchema for Assignee {}
