//! Assigning the roles of a task (SPEC T-14).

use serde::{Deserialize, Serialize};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};
use uuid::Uuid;

use crate::{AssigneeError, RoleAssignee};

/// Request to assign a role of a task to an agent or a user. On the wire the assignee is `agent_id` or `user_id` at
/// the top level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "AssignRoleFields", into = "AssignRoleFields")]
pub struct AssignRole {
    /// The agent or user that gets the role.
    pub assignee: RoleAssignee,
    /// Discard uncommitted changes in the worktree after saving them to the journal; commits stay.
    pub reset_worktree: bool,
    /// Remove the whole workspace after saving it to the journal; the next claim starts with a new one.
    pub reset_workspace: bool,
}

/// Request to assign a role of a task to an agent or a user: exactly one of the two is given.
#[derive(Serialize, Deserialize, ToSchema)]
struct AssignRoleFields {
    /// The agent that gets the role.
    #[serde(default)]
    agent_id: Option<Uuid>,
    /// The user who gets the role.
    #[serde(default)]
    user_id: Option<Uuid>,
    /// Discard uncommitted changes in the worktree after saving them to the journal; commits stay.
    #[serde(default)]
    reset_worktree: bool,
    /// Remove the whole workspace after saving it to the journal; the next claim starts with a new one.
    #[serde(default)]
    reset_workspace: bool,
}

impl TryFrom<AssignRoleFields> for AssignRole {
    type Error = AssigneeError;

    fn try_from(fields: AssignRoleFields) -> Result<Self, AssigneeError> {
        Ok(Self {
            assignee: RoleAssignee::from_ids(fields.agent_id, fields.user_id)?,
            reset_worktree: fields.reset_worktree,
            reset_workspace: fields.reset_workspace,
        })
    }
}

impl From<AssignRole> for AssignRoleFields {
    fn from(request: AssignRole) -> Self {
        Self {
            agent_id: request.assignee.agent_id(),
            user_id: request.assignee.user_id(),
            reset_worktree: request.reset_worktree,
            reset_workspace: request.reset_workspace,
        }
    }
}

impl PartialSchema for AssignRole {
    fn schema() -> RefOr<Schema> {
        AssignRoleFields::schema()
    }
}

impl ToSchema for AssignRole {}
