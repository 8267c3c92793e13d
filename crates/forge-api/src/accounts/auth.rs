//! Sign-in, sessions and passwords (SPEC S-6).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{ActorView, CreatedToken, SecretString, User};

/// Request to sign in with a password; the session is a cookie.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LoginRequest {
    /// The user's name.
    pub name: String,
    /// The user's password.
    #[schema(value_type = String, format = Password)]
    pub password: SecretString,
}

/// Request to sign in with a one-time link: that of the first start, or the one that an admin made for a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UseLink {
    /// The code from the link.
    #[schema(value_type = String, format = Password)]
    pub code: SecretString,
    /// First start: name of the first admin; `admin` if left out. Link of a user: the user's name, or left out.
    #[serde(default)]
    pub name: Option<String>,
    /// The new password. The link of a user needs one; without one the first admin needs a token once the session ends.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password)]
    pub password: Option<SecretString>,
}

/// Answer to a successful sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SignInResponse {
    /// The signed-in user.
    pub user: User,
}

/// Request to sign in with the credential in the server's data directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LocalSignInRequest {
    /// The content of the file `local-credential`.
    #[schema(value_type = String, format = Password)]
    pub credential: SecretString,
    /// Name of the first admin, if the server has no user yet; `admin` if left out.
    #[serde(default)]
    pub user_name: Option<String>,
    /// Name of the new token.
    pub token_name: String,
}

/// Answer to a local sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LocalSignInResponse {
    /// The user that the credential belongs to: the first admin.
    pub user: User,
    /// Whether the sign-in created the user.
    pub is_new_user: bool,
    /// A new token of the user; only this answer contains its secret.
    pub token: CreatedToken,
}

/// Request to change the caller's own password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChangePassword {
    /// The current password; left out if the user has none.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Password)]
    pub old_password: Option<SecretString>,
    /// The new password.
    #[schema(value_type = String, format = Password, min_length = 8)]
    pub new_password: SecretString,
}

/// How the caller authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuthMethod {
    /// A browser session cookie.
    Session,
    /// A user's bearer token.
    Token,
    /// The token of one execution, which can act only on its own task.
    Execution,
}

/// The identity of the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CallerInfo {
    /// The actor that the server records for the caller's actions.
    pub actor: ActorView,
    /// The user; `null` when the caller is an agent.
    #[schema(required)]
    pub user: Option<User>,
    /// How the caller authenticated.
    pub via: AuthMethod,
}
