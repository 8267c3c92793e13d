//! The event stream (SPEC S-2): what was stored, in order, without gaps, then what is being stored.

mod places;
mod tail;
mod types;

pub(crate) use places::Seen;
pub(crate) use tail::tail;
pub(crate) use types::Types;
