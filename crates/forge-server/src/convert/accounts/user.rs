//! Converts users and their tokens.

use forge_api::{ApiToken, ProjectMember, User};
use forge_store::tables;

use crate::convert::stored_word;
use crate::convert::time::rfc3339;
use crate::error::api_error::ApiError;

/// Converts a user row.
pub(crate) fn user(row: &tables::users::UserRow) -> Result<User, ApiError> {
    Ok(User {
        id: row.id.uuid(),
        name: row.name.clone(),
        role: stored_word::parse_stored("role", &row.role)?,
        created_at: rfc3339(row.created_at),
    })
}

/// Converts a member row.
pub(crate) fn member(row: tables::members::MemberRow) -> ProjectMember {
    ProjectMember {
        user_id: row.user_id.uuid(),
        name: row.name,
        created_at: rfc3339(row.created_at),
    }
}

/// Converts a token row, without its secret.
pub(crate) fn token(row: &tables::tokens::TokenRow) -> Result<ApiToken, ApiError> {
    Ok(ApiToken {
        id: row.id.uuid(),
        name: row.name.clone(),
        user_id: row.user_id.uuid(),
        scope: stored_word::parse_stored("scope", &row.scope)?,
        created_at: rfc3339(row.created_at),
        last_used_at: row.last_used_at.map(rfc3339),
        expires_at: row.expires_at.map(rfc3339),
        revoked_at: row.revoked_at.map(rfc3339),
    })
}
