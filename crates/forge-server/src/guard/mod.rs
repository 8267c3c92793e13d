//! Checks before any handler, and headers of every answer (SPEC S-6).

mod headers;
mod hosts;
mod origin;

pub(crate) use crate::guard::headers::{SECURITY_HEADERS, add_security_headers};
pub use crate::guard::hosts::AllowedHosts;
pub(crate) use crate::guard::hosts::check_host;
pub(crate) use crate::guard::origin::{check_origin, require_same_origin};
