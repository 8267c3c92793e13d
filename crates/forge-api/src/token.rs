//! Bearer tokens of people (SPEC S-6).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Secret;

/// What a token can be used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TokenScope {
    /// Everything its user may do.
    Full,
    /// Only requests that change nothing.
    ReadOnly,
}

/// A token, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Token {
    /// Identifier.
    pub id: Uuid,
    /// What it is for, in the user's words.
    pub name: String,
    /// Whose it is.
    pub user_id: Uuid,
    /// What it can be used for.
    pub scope: TokenScope,
    /// When it was made.
    #[schema(format = DateTime)]
    pub created_at: String,
    /// When it was last used.
    #[schema(format = DateTime, required)]
    pub last_used_at: Option<String>,
    /// When it stops working.
    #[schema(format = DateTime, required)]
    pub expires_at: Option<String>,
    /// When it was revoked.
    #[schema(format = DateTime, required)]
    pub revoked_at: Option<String>,
}

/// Creates a token for the caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewToken {
    /// What it is for.
    pub name: String,
    /// `full` if left out.
    #[serde(default)]
    pub scope: Option<TokenScope>,
    /// How long it works; for ever if left out.
    #[serde(default)]
    pub expires_in_seconds: Option<u64>,
}

/// A new token with its secret, which is shown only here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CreatedToken {
    /// The token.
    pub token: Token,
    /// The value to send as bearer token; only its hash is stored.
    #[schema(value_type = String, format = Password)]
    pub secret: Secret,
}
