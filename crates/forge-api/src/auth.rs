//! Signing in (SPEC S-6).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Actor, Secret, User};

/// Signs in with a password; the session is a cookie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Login {
    /// The user's name.
    pub name: String,
    /// The user's password.
    #[schema(value_type = String, format = Password)]
    pub password: Secret,
}

/// Signs in with the one-time link that `serve` prints on first run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UseLink {
    /// The code in the link.
    #[schema(value_type = String, format = Password)]
    pub code: Secret,
    /// What the first admin is called; `admin` if left out.
    #[serde(default)]
    pub name: Option<String>,
    /// The first admin's password; without one they need a token once the session is over.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password)]
    pub password: Option<Secret>,
}

/// Signing in worked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignedIn {
    /// Who is signed in now.
    pub user: User,
}

/// Gives the caller another password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangePassword {
    /// The one there is; left out by who has none.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password)]
    pub old_password: Option<Secret>,
    /// The one there is to be.
    #[schema(value_type = String, format = Password)]
    pub new_password: Secret,
}

/// How the caller proved who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// A browser session.
    Session,
    /// A user's bearer token.
    Token,
    /// The token of one execution, which can act on its task only.
    Execution,
}

/// Who the caller is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// As whom the caller's actions are recorded.
    pub actor: Actor,
    /// The user; `null` when the caller is an agent.
    #[schema(required)]
    pub user: Option<User>,
    /// How the caller proved it.
    pub via: Via,
}
