//! The stored spelling of enumerations: the same as on the wire.

use forge_api::{TokenScope, UserRole, WorkspaceType};
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

/// The stored spelling of a user's role.
pub(crate) fn stored_role(role: UserRole) -> &'static str {
    match role {
        UserRole::Admin => "admin",
        UserRole::Member => "member",
    }
}

/// The stored spelling of a token's scope.
pub(crate) fn stored_scope(scope: TokenScope) -> &'static str {
    match scope {
        TokenScope::Full => "full",
        TokenScope::ReadOnly => "read_only",
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
            assert_eq!(parse_stored::<UserRole>("role", stored_role(role)), Ok(role));
        }
        for scope in [TokenScope::Full, TokenScope::ReadOnly] {
            assert_eq!(parse_stored::<TokenScope>("scope", stored_scope(scope)), Ok(scope));
        }
        for kind in [WorkspaceType::GitWorktree, WorkspaceType::PersistentDirectory] {
            let stored = stored_workspace_type(kind);
            assert_eq!(parse_stored::<WorkspaceType>("workspace_type", stored), Ok(kind));
        }
        assert!(parse_stored::<UserRole>("role", "owner").is_err());
    }
}
