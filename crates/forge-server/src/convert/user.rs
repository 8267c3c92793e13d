//! People and their tokens.

use forge_api::{Member, Token, User};
use forge_store::tables;

use super::time::rfc3339;
use super::word;
use crate::failure::Failure;

/// A person.
pub(crate) fn user(row: &tables::users::User) -> Result<User, Failure> {
    Ok(User {
        id: row.id.uuid(),
        name: row.name.clone(),
        role: word::parse("role", &row.role)?,
        created_at: rfc3339(row.created_at),
    })
}

/// A person in a project.
pub(crate) fn member(row: tables::members::Member) -> Member {
    Member { user_id: row.user_id.uuid(), name: row.name, created_at: rfc3339(row.created_at) }
}

/// A token, without its secret.
pub(crate) fn token(row: &tables::tokens::Token) -> Result<Token, Failure> {
    Ok(Token {
        id: row.id.uuid(),
        name: row.name.clone(),
        user_id: row.user_id.uuid(),
        scope: word::parse("scope", &row.scope)?,
        created_at: rfc3339(row.created_at),
        last_used_at: row.last_used_at.map(rfc3339),
        expires_at: row.expires_at.map(rfc3339),
        revoked_at: row.revoked_at.map(rfc3339),
    })
}
