//! Wire types of identity: actors, sign-in, users, tokens and their scopes (SPEC S-6).
//!
//! Secrets are `SecretString` values: plain text on the wire, hidden in debug output. The secret of a token is only
//! in the answer that created it; if that answer is lost, revoke the token and create another.

pub(crate) mod actor;
pub(crate) mod auth;
pub(crate) mod token;
pub(crate) mod user;
