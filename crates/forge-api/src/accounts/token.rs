//! Bearer tokens of users (SPEC S-6).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::SecretString;

/// What a token allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TokenScope {
    /// Everything that its user may do.
    Full,
    /// Only requests that change nothing.
    ReadOnly,
}

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApiToken {
    pub id: Uuid,
    /// Purpose of the token, in the user's words.
    pub name: String,
    /// The user who owns it.
    pub user_id: Uuid,
    /// What the token allows.
    pub scope: TokenScope,
    /// When it was created.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it was last used.
    #[schema(format = DateTime, required)]
    pub last_used_at: Option<String>,
    /// When it expires.
    #[schema(format = DateTime, required)]
    pub expires_at: Option<String>,
    /// When it was revoked.
    #[schema(format = DateTime, required)]
    pub revoked_at: Option<String>,
}

/// Request to create a token for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewToken {
    /// Purpose of the token.
    #[schema(min_length = 1, max_length = 100)]
    pub name: String,
    /// What the token allows; `full` if left out.
    #[serde(default)]
    pub scope: Option<TokenScope>,
    /// Lifetime in seconds; unlimited if left out.
    #[serde(default)]
    #[schema(minimum = 1)]
    pub expires_in_seconds: Option<u64>,
}

/// A new token with its secret, which is shown only here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedToken {
    /// The new token.
    pub token: ApiToken,
    /// The value to send as bearer token; the server stores only its hash.
    #[schema(value_type = String, format = Password)]
    pub secret: SecretString,
}
