//! Test merges of many branches with each other (M-14): cheap, in an object store of their own, and only where the two
//! could clash at all.

mod ancestry;
mod changes;
mod lookout;
mod meeting;
mod memory;
mod scratch;
mod standing;
mod trial;

pub use lookout::{Effort, Sighting};
pub use meeting::{Meeting, Side};
pub use memory::MeetingMemory;
pub(crate) use scratch::Scratch;
