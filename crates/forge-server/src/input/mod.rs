//! What comes in with a request, read with suspicion.

mod body;
mod depth;
mod limits;
mod path;
mod query;
mod strict;

pub use body::{Body, OptionalBody};
pub use limits::Limits;
pub use path::Path;
pub use query::Query;
