//! The caller, once known.

use axum::extract::FromRequestParts;
use forge_api::{ErrorCode, TokenScope, UserRole, Via};
use forge_domain::{Actor, TokenId, UserId};
use forge_store::tables::users::User;
use http::request::Parts;

use crate::app::App;
use crate::failure::Failure;

/// Who sent the request. A handler can only have one that proved itself: `protect` stands before all routes.
#[derive(Debug, Clone)]
pub struct Caller {
    /// As whom the caller's actions are recorded.
    pub actor: Actor,
    /// The person.
    pub user: User,
    /// What the person may do.
    pub role: UserRole,
    /// What the credential may be used for.
    pub scope: TokenScope,
    /// How the caller proved it.
    pub credential: Credential,
}

/// What a caller proved themselves with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credential {
    /// A bearer token.
    Token(TokenId),
    /// A browser session, by the hash of its cookie.
    Session(String),
}

impl Caller {
    /// How the caller proved who they are.
    pub fn via(&self) -> Via {
        match self.credential {
            Credential::Token(_) => Via::Token,
            Credential::Session(_) => Via::Session,
        }
    }

    /// Whose memberships limit what the caller sees and changes; `None` for admins, who see everything.
    pub fn confined(&self) -> Option<UserId> {
        match self.role {
            UserRole::Admin => None,
            UserRole::Member => Some(self.user.id),
        }
    }

    /// Only admins go on.
    pub fn admin(&self) -> Result<&Self, Failure> {
        match self.role {
            UserRole::Admin => Ok(self),
            UserRole::Member => {
                Err(Failure::new(ErrorCode::Forbidden, "Only an admin may do this. Ask one."))
            }
        }
    }

    /// Only credentials that may change something go on.
    pub fn writer(&self) -> Result<&Self, Failure> {
        match self.scope {
            TokenScope::Full => Ok(self),
            TokenScope::ReadOnly => Err(Failure::new(
                ErrorCode::Forbidden,
                "This token is read-only. Use one with the scope `full`.",
            )),
        }
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Failure> {
        let known = parts.extensions.get::<Self>().cloned();
        known.ok_or_else(|| Failure::plain(ErrorCode::Unauthorized))
    }
}
