//! The caller of a request and its permissions (SPEC S-6).
//!
//! `require_caller` authenticates; `require_scope` applies what the action declares (`forge_api::actions`). Both run
//! before the handler, so that no handler can forget them.

mod action_scope;
mod authenticate;
mod caller_identity;
mod credential_cache;
mod membership;
mod scoped_object;

pub(crate) use crate::caller::action_scope::require_scope;
pub(crate) use crate::caller::authenticate::{identify_caller, require_caller};
pub use crate::caller::caller_identity::{Caller, CallerCredential};
pub use crate::caller::credential_cache::CredentialCache;
