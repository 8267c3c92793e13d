//! People (SPEC §1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Secret;

/// What a person may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserRole {
    /// Sees every project, and may also manage users, tokens of others and settings.
    Admin,
    /// Sees and changes the projects they are a member of, and no others.
    Member,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct User {
    /// Identifier.
    pub id: Uuid,
    /// The name they sign in with.
    pub name: String,
    /// What they may do.
    pub role: UserRole,
    /// When the user was created.
    #[schema(format = DateTime)]
    pub created_at: String,
}

/// Creates a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewUser {
    /// The name they sign in with.
    pub name: String,
    /// Without one the user can only use tokens.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password)]
    pub password: Option<Secret>,
    /// `member` if left out.
    #[serde(default)]
    pub role: Option<UserRole>,
}
