//! Converts users and their tokens.

use forge_api::{ApiToken, ProjectMember, TokenScope, User, UserRole};
use forge_domain::{AccountRole, TokenAccess};
use forge_store::tables;

use crate::convert::time::rfc3339;

/// Converts a user row.
pub(crate) fn user(row: &tables::users::UserRow) -> User {
    User {
        id: row.id.uuid(),
        name: row.name.clone(),
        role: user_role(row.role),
        created_at: rfc3339(row.created_at),
        removed_at: row.removed_at.map(rfc3339),
    }
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
pub(crate) fn token(row: &tables::tokens::TokenRow) -> ApiToken {
    ApiToken {
        id: row.id.uuid(),
        name: row.name.clone(),
        user_id: row.user_id.uuid(),
        scope: token_scope(row.scope),
        created_at: rfc3339(row.created_at),
        last_used_at: row.last_used_at.map(rfc3339),
        expires_at: row.expires_at.map(rfc3339),
        revoked_at: row.revoked_at.map(rfc3339),
    }
}

fn user_role(role: AccountRole) -> UserRole {
    match role {
        AccountRole::Admin => UserRole::Admin,
        AccountRole::Member => UserRole::Member,
    }
}

fn token_scope(access: TokenAccess) -> TokenScope {
    match access {
        TokenAccess::Full => TokenScope::Full,
        TokenAccess::ReadOnly => TokenScope::ReadOnly,
    }
}

/// Converts the role in a request.
pub(crate) fn account_role(role: UserRole) -> AccountRole {
    match role {
        UserRole::Admin => AccountRole::Admin,
        UserRole::Member => AccountRole::Member,
    }
}

/// Converts the scope in a request.
pub(crate) fn token_access(scope: TokenScope) -> TokenAccess {
    match scope {
        TokenScope::Full => TokenAccess::Full,
        TokenScope::ReadOnly => TokenAccess::ReadOnly,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn s_1_stored_roles_and_scopes_are_spelled_as_on_the_wire() {
        for role in [UserRole::Admin, UserRole::Member] {
            let stored = account_role(role);
            assert_eq!((json!(stored), user_role(stored)), (json!(role), role));
        }
        for scope in [TokenScope::Full, TokenScope::ReadOnly] {
            let stored = token_access(scope);
            assert_eq!((json!(stored), token_scope(stored)), (json!(scope), scope));
        }
        assert!(serde_json::from_value::<AccountRole>(json!("owner")).is_err());
    }
}
