//! Words of closed lists, as they are stored: the same spelling as on the wire.

use forge_api::{TokenScope, UserRole, WorkspaceType};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::failure::Failure;
use crate::refusal::internal;

/// The member of the list that is stored under this word.
pub(crate) fn parse<T: DeserializeOwned>(column: &str, stored: &str) -> Result<T, Failure> {
    serde_json::from_value(Value::String(stored.to_owned()))
        .map_err(|error| internal(&format!("`{stored}` is stored as {column}: {error}")))
}

/// A role of people, as stored.
pub(crate) fn of_role(role: UserRole) -> &'static str {
    match role {
        UserRole::Admin => "admin",
        UserRole::Member => "member",
    }
}

/// A token's scope, as stored.
pub(crate) fn of_scope(scope: TokenScope) -> &'static str {
    match scope {
        TokenScope::Full => "full",
        TokenScope::ReadOnly => "read_only",
    }
}

/// A project's workspace type, as stored.
pub(crate) fn of_workspace_type(kind: WorkspaceType) -> &'static str {
    match kind {
        WorkspaceType::GitWorktree => "git_worktree",
        WorkspaceType::PersistentDirectory => "persistent_directory",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_1_what_is_stored_is_spelled_as_on_the_wire() {
        for role in [UserRole::Admin, UserRole::Member] {
            assert_eq!(parse::<UserRole>("role", of_role(role)), Ok(role));
        }
        for scope in [TokenScope::Full, TokenScope::ReadOnly] {
            assert_eq!(parse::<TokenScope>("scope", of_scope(scope)), Ok(scope));
        }
        for kind in [WorkspaceType::GitWorktree, WorkspaceType::PersistentDirectory] {
            let stored = of_workspace_type(kind);
            assert_eq!(parse::<WorkspaceType>("workspace_type", stored), Ok(kind));
        }
        assert!(parse::<UserRole>("role", "owner").is_err());
    }
}
