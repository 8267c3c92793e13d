//! Who works in a project (SPEC S-6).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A person in a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Member {
    /// The person.
    pub user_id: Uuid,
    /// The name they sign in with.
    pub name: String,
    /// Since when they are a member.
    #[schema(format = DateTime)]
    pub created_at: String,
}

/// Makes a person a member of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewMember {
    /// The person.
    pub user_id: Uuid,
}
