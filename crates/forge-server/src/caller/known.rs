//! The caller, once known.

use axum::extract::FromRequestParts;
use forge_api::{ErrorCode, TokenScope, UserRole, Via};
use forge_domain::{Actor, TokenId, UserId};
use forge_store::tables::execution_tokens::Bearer;
use forge_store::tables::users::User;
use http::request::Parts;
use uuid::Uuid;

use crate::app::App;
use crate::failure::Failure;

/// Who sent the request. A handler can only have one that proved itself: `protect` stands before all routes.
#[derive(Debug, Clone)]
pub struct Caller {
    /// As whom the caller's actions are recorded.
    pub actor: Actor,
    /// The person; none if an agent's execution calls.
    pub user: Option<User>,
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
    /// The token of one execution (E-3).
    Execution(Bearer),
}

impl Caller {
    /// How the caller proved who they are.
    pub fn via(&self) -> Via {
        match self.credential {
            Credential::Token(_) => Via::Token,
            Credential::Session(_) => Via::Session,
            Credential::Execution(_) => Via::Execution,
        }
    }

    /// Whose memberships limit what the caller sees and changes; `None` for admins, who see everything.
    pub fn confined(&self) -> Option<UserId> {
        match (&self.user, self.role) {
            (Some(_), UserRole::Admin) => None,
            (Some(user), UserRole::Member) => Some(user.id),
            // Nobody's memberships, so nothing, should an execution ever get as far as asking.
            (None, _) => Some(UserId::new(Uuid::nil())),
        }
    }

    /// The execution that calls, if one does.
    pub fn bearer(&self) -> Option<Bearer> {
        match self.credential {
            Credential::Execution(bearer) => Some(bearer),
            Credential::Token(_) | Credential::Session(_) => None,
        }
    }

    /// Only people go on.
    pub fn person(&self) -> Result<&User, Failure> {
        self.user.as_ref().ok_or_else(|| {
            Failure::new(ErrorCode::Forbidden, "Only a person may do this, not an execution.")
        })
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
