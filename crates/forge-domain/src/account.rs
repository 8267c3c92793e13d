//! What users and their tokens may do.

use serde::{Deserialize, Serialize};

/// What a user may do on the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountRole {
    /// Sees all projects and administers the server.
    Admin,
    /// Sees the projects of which the user is a member.
    Member,
}

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenAccess {
    /// Everything that its user may do.
    Full,
    /// Only requests that change nothing.
    ReadOnly,
}
