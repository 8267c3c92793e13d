//! Who a request comes from, and what they may do (SPEC S-6).

mod credentials;
mod identify;
mod known;

pub use credentials::Credentials;
pub(crate) use identify::require_caller;
pub use known::{Caller, Credential};
