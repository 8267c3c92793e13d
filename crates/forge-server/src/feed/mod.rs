//! The event stream (SPEC S-2): what was stored, in order, without gaps, then what is being stored.

mod log_tail;
mod places;
mod tail;
mod types;

pub(crate) use log_tail::log_tail;
pub(crate) use places::Seen;
pub(crate) use tail::tail;
pub(crate) use types::Types;
