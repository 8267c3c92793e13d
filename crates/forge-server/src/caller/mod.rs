//! The caller of a request and its permissions (SPEC S-6).

mod authenticate;
mod caller_identity;
mod credential_cache;
mod execution_scope;
mod membership;
pub(crate) mod protect;
mod route_scope;

pub use crate::caller::caller_identity::{Caller, CallerCredential};
pub use crate::caller::credential_cache::CredentialCache;
pub(crate) use crate::caller::protect::protect;
