//! The stored spelling of enumerations: the same as on the wire.

use forge_api::{TokenScope, UserRole, WorkspaceType};
use forge_engine::{AccountRole, TokenAccess};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;

/// Parses a stored value.
pub(crate) fn parse_stored<T: DeserializeOwned>(column: &str, stored: &str) -> Result<T, ApiError> {
    serde_json::from_value(Value::String(stored.to_owned())).map_err(|error| {
        internal_error(&format!("the stored value `{stored}` of {column} is invalid: {error}"))
    })
}

/// The engine's form of a user's role.
pub(crate) fn account_role(role: UserRole) -> AccountRole {
    match role {
        UserRole::Admin => AccountRole::Admin,
        UserRole::Member => AccountRole::Member,
    }
}

/// The engine's form of a token's scope.
pub(crate) fn token_access(scope: TokenScope) -> TokenAccess {
    match scope {
        TokenScope::Full => TokenAccess::Full,
        TokenScope::ReadOnly => TokenAccess::ReadOnly,
    }
}

/// The stored spelling of a workspace type.
pub(crate) fn stored_workspace_type(kind: WorkspaceType) -> &'static str {
    match kind {
        WorkspaceType::GitWorktree => "git_worktree",
        WorkspaceType::PersistentDirectory => "persistent_directory",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_1_stored_values_are_spelled_as_on_the_wire() {
        for role in [UserRole::Admin, UserRole::Member] {
            let stored = account_role(role).as_stored();
            assert_eq!(parse_stored::<UserRole>("role", stored), Ok(role));
        }
        for scope in [TokenScope::Full, TokenScope::ReadOnly] {
            let stored = token_access(scope).as_stored();
            assert_eq!(parse_stored::<TokenScope>("scope", stored), Ok(scope));
        }
        for kind in [WorkspaceType::GitWorktree, WorkspaceType::PersistentDirectory] {
            let stored = stored_workspace_type(kind);
            assert_eq!(parse_stored::<WorkspaceType>("workspace_type", stored), Ok(kind));
        }
        assert!(parse_stored::<UserRole>("role", "owner").is_err());
    }
}
