//! Looking after what is on disk: what nobody needs any more, and what nobody knows (W-7, W-10).

mod extent;
mod orphan;
mod removal;

pub use extent::{Extent, SizeClass};
pub use orphan::{Orphan, OrphanCause, OrphanNote};
pub use removal::{Removal, Verdict};
