//! A repository's other side: whether what lands is pushed there, and what opens it (SPEC M-7, M-15).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Secret;
use crate::field::{nullable, present};

/// How a repository is reached elsewhere. Its token is never part of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepoRemote {
    /// Where; `null` if nobody said so.
    #[schema(required)]
    pub url: Option<String>,
    /// Whether what lands is pushed there.
    pub push: bool,
    /// The installation of the GitHub App that opens it; a project's own comes first.
    #[schema(required)]
    pub installation_id: Option<u64>,
    /// Whether it has a token of its own.
    pub has_token: bool,
}

/// Changes how a repository is reached elsewhere. What is left out stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RepoRemotePatch {
    /// Whether what lands is pushed. For a repository of the server's own disk the address of its remote `origin` is
    /// taken as it is at this moment.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub push: Option<bool>,
    /// The installation of the GitHub App; `null` for none.
    #[serde(default, deserialize_with = "nullable", skip_serializing_if = "Option::is_none")]
    pub installation_id: Option<Option<u64>>,
}

/// A token or password for a repository elsewhere. It is stored sealed and never answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewCredential {
    /// The token.
    #[schema(value_type = String, format = Password)]
    pub token: Secret,
    /// The user name it goes with, where the host wants a certain one.
    #[serde(default)]
    pub user_name: Option<String>,
}
