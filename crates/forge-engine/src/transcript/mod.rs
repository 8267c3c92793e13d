//! The log of an execution (E-5): its program's output with the secrets taken out, and the numbered events it is made of.
//! Both grow in plain files beside the output as it came, are compressed when the run is over, and can be made again from
//! that output until then.

mod files;
mod packed;
mod reading;
mod scribe;
mod veil;

pub(crate) use files::LogFiles;
pub use reading::{EventPage, EventPart};
pub(crate) use scribe::Scribe;
pub(crate) use veil::Veil;
