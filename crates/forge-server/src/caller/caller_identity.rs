//! The authenticated caller.

use axum::extract::FromRequestParts;
use forge_api::{AuthMethod, ErrorCode};
use forge_domain::{AccountRole, Actor, TokenAccess, TokenId, UserId};
use forge_store::tables::execution_tokens::ExecutionTokenOwner;
use forge_store::tables::users::UserRow;
use http::request::Parts;
use uuid::Uuid;

use crate::app::AppState;
use crate::error::api_error::ApiError;

/// The sender of a request. A handler can only get an authenticated one.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The actor that the server records for the caller's actions.
    pub actor: Actor,
    /// The user; `None` if an execution calls.
    pub user: Option<UserRow>,
    /// Permissions of the user.
    pub role: AccountRole,
    /// What the credential allows.
    pub scope: TokenAccess,
    /// How the caller authenticated.
    pub credential: CallerCredential,
}

/// The credential of a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallerCredential {
    /// A user's bearer token.
    Token(TokenId),
    /// A browser session, by the hash of its cookie.
    Session(String),
    /// The token of one execution (E-3).
    Execution(ExecutionTokenOwner),
}

impl Caller {
    /// How the caller authenticated.
    pub fn auth_method(&self) -> AuthMethod {
        match self.credential {
            CallerCredential::Token(_) => AuthMethod::Token,
            CallerCredential::Session(_) => AuthMethod::Session,
            CallerCredential::Execution(_) => AuthMethod::Execution,
        }
    }

    /// The user whose memberships limit what the caller sees and changes; `None` for admins, who see everything.
    pub fn membership_filter(&self) -> Option<UserId> {
        match (&self.user, self.role) {
            (Some(_), AccountRole::Admin) => None,
            (Some(user), AccountRole::Member) => Some(user.id),
            // An identifier without memberships, so that an execution that reaches this point sees nothing.
            (None, _) => Some(UserId::new(Uuid::nil())),
        }
    }

    /// The calling execution, if there is one.
    pub fn execution(&self) -> Option<ExecutionTokenOwner> {
        match self.credential {
            CallerCredential::Execution(bearer) => Some(bearer),
            CallerCredential::Token(_) | CallerCredential::Session(_) => None,
        }
    }

    /// Refuses callers that are not users.
    pub fn require_user(&self) -> Result<&UserRow, ApiError> {
        self.user.as_ref().ok_or_else(|| {
            ApiError::new(ErrorCode::Forbidden, "Only a person may do this, not an execution.")
        })
    }

    /// Refuses callers that are not admins.
    pub fn require_admin(&self) -> Result<&Self, ApiError> {
        match self.role {
            AccountRole::Admin => Ok(self),
            AccountRole::Member => {
                Err(ApiError::new(ErrorCode::Forbidden, "Only an admin may do this. Ask one."))
            }
        }
    }

    /// Refuses read-only credentials.
    pub fn require_write_scope(&self) -> Result<&Self, ApiError> {
        match self.scope {
            TokenAccess::Full => Ok(self),
            TokenAccess::ReadOnly => Err(ApiError::new(
                ErrorCode::Forbidden,
                "This token is read-only. Use one with the scope `full`.",
            )),
        }
    }
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, ApiError> {
        let known = parts.extensions.get::<Self>().cloned();
        known.ok_or_else(|| ApiError::from_code(ErrorCode::Unauthorized))
    }
}
