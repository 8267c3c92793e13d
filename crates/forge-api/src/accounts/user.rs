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
    /// When the account was removed; `null` while it exists.
    #[serde(default)]
    #[schema(format = DateTime, required)]
    pub removed_at: Option<String>,
}

/// A link with which a user sets a password once, without the admin knowing it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserLink {
    /// The user it is for.
    pub user: User,
    /// Its code; only this answer contains it. The page `/welcome#code=CODE` of the server takes it, or `POST
    /// /auth/link`.
    #[schema(value_type = String, format = Password)]
    pub code: SecretString,
    /// When it expires.
    #[schema(format = DateTime)]
    pub expires_at: String,
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
