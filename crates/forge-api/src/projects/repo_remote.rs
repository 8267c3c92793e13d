//! The remote of a repository: pushing and credentials (SPEC M-7, M-15).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::SecretString;
use crate::field::{nullable, present};

/// The remote of a repository. Its token is never part of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepoRemote {
    /// Address of the remote; `null` if none is configured.
    #[schema(required)]
    pub url: Option<String>,
    /// Whether Forge pushes landed commits to it.
    pub push: bool,
    /// The installation of the GitHub App that gives access; the project's own installation takes precedence.
    #[schema(required)]
    pub installation_id: Option<u64>,
    /// Whether the repository has its own token.
    pub has_token: bool,
}

/// Request to change the remote of a repository; fields that are left out stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepoRemotePatch {
    /// Whether Forge pushes landed commits. For a repository on the server's disk, Forge takes the current address of
    /// its remote `origin`.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub push: Option<bool>,
    /// The installation of the GitHub App; `null` for none.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    pub installation_id: Option<Option<u64>>,
}

/// A token or password for the remote of a repository. The server stores it encrypted and never returns it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewCredential {
    /// The token or password.
    #[schema(value_type = String, format = Password)]
    pub token: SecretString,
    /// The user name for the token, if the host requires a specific one.
    #[serde(default)]
    pub user_name: Option<String>,
}
