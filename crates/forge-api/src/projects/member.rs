//! Members of a project (SPEC S-6).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A user who is a member of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProjectMember {
    /// Identifier of the user.
    pub user_id: Uuid,
    /// The name that the user signs in with.
    pub name: String,
    /// When the user became a member.
    #[schema(format = DateTime)]
    pub created_at: String,
}

/// Request to add a user to a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewMember {
    /// Identifier of the user.
    pub user_id: Uuid,
}
