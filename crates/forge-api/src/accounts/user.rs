//! Users and their permissions (SPEC §1).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::SecretString;

/// Permissions of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UserRole {
    /// Sees every project, and may manage users, tokens of others and settings.
    Admin,
    /// Sees and changes only the projects that the user is a member of.
    Member,
}

/// A person with an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct User {
    pub id: Uuid,
    /// The name that the user signs in with.
    pub name: String,
    /// Permissions of the user.
    pub role: UserRole,
    /// When the user was created.
    #[schema(format = DateTime)]
    pub created_at: String,
}

/// Request to create a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewUser {
    /// The name that the user signs in with.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    /// The password; without one the user can only use tokens.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password, min_length = 8)]
    pub password: Option<SecretString>,
    /// Permissions; `member` if left out.
    #[serde(default)]
    pub role: Option<UserRole>,
}
