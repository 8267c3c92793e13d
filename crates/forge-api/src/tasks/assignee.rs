//! The holder of a role: exactly one agent or one user.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

/// The holder of a role. On the wire `{"agent_id": …, "user_id": null}` or the reverse; a request may leave out the
/// `null`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "AssigneeFields", into = "AssigneeFields")]
pub enum RoleAssignee {
    /// An agent, by identifier.
    Agent(Uuid),
    /// A user, by identifier.
    User(Uuid),
}

/// Neither or both of `agent_id` and `user_id` were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("give exactly one of agent_id and user_id")]
pub struct AssigneeError;

impl RoleAssignee {
    /// Builds an assignee from the two fields that name it.
    pub(crate) fn from_ids(
        agent_id: Option<Uuid>,
        user_id: Option<Uuid>,
    ) -> Result<Self, AssigneeError> {
        match (agent_id, user_id) {
            (Some(id), None) => Ok(Self::Agent(id)),
            (None, Some(id)) => Ok(Self::User(id)),
            (None, None) | (Some(_), Some(_)) => Err(AssigneeError),
        }
    }

    /// The agent's identifier, if the assignee is an agent.
    pub fn agent_id(self) -> Option<Uuid> {
        match self {
            Self::Agent(id) => Some(id),
            Self::User(_) => None,
        }
    }

    /// The user's identifier, if the assignee is a user.
    pub fn user_id(self) -> Option<Uuid> {
        match self {
            Self::User(id) => Some(id),
            Self::Agent(_) => None,
        }
    }
}

/// The holder of a role: exactly one of the two fields is given.
#[derive(Serialize, Deserialize, ToSchema)]
struct AssigneeFields {
    /// Identifier of the agent.
    #[serde(default)]
    agent_id: Option<Uuid>,
    /// Identifier of the user.
    #[serde(default)]
    user_id: Option<Uuid>,
}

impl TryFrom<AssigneeFields> for RoleAssignee {
    type Error = AssigneeError;

    fn try_from(fields: AssigneeFields) -> Result<Self, AssigneeError> {
        Self::from_ids(fields.agent_id, fields.user_id)
    }
}

impl From<RoleAssignee> for AssigneeFields {
    fn from(assignee: RoleAssignee) -> Self {
        Self { agent_id: assignee.agent_id(), user_id: assignee.user_id() }
    }
}

impl PartialSchema for RoleAssignee {
    fn schema() -> RefOr<Schema> {
        AssigneeFields::schema()
    }
}

impl ToSchema for RoleAssignee {}
