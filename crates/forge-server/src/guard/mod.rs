//! What a request has to pass before any handler sees it, and what every answer carries (SPEC S-6).

mod headers;
mod hosts;
mod origin;

pub(crate) use headers::add_security_headers;
pub use hosts::Hosts;
pub(crate) use hosts::check_host;
pub(crate) use origin::check_origin;
