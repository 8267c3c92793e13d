//! Extractors of request data: JSON bodies with limits and without unknown fields, path and query parameters, the
//! `Prefer` header, and pagination.
//!
//! An extractor either returns a complete value or an `ApiError` that names the field. No handler runs for an invalid
//! request, so nothing changes.

mod body;
mod depth;
mod limits;
pub(crate) mod paging;
mod path;
pub(crate) mod prefer;
mod query;
mod strict;

pub use crate::input::body::{JsonBody, OptionalJsonBody};
pub use crate::input::limits::BodyLimits;
pub use crate::input::path::Path;
pub use crate::input::query::Query;
