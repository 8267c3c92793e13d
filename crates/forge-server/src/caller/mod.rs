//! Who a request comes from, and what they may do (SPEC S-6).

mod belonging;
mod credentials;
mod errand;
mod identify;
mod known;
mod membership;
mod protect;

pub use credentials::Credentials;
pub use known::{Caller, Credential};
pub(crate) use protect::protect;
