//! Child processes: start them in their own session, keep their output bounded, and end the whole tree.
//!
//! A process is known by pid, start time and boot id ([`ProcessIdentity`]); a tree by its session and by the
//! [`Mark`] that every descendant carries in its environment, so that it can be found again after a restart.
//! Nothing here waits for a pipe to close: a daemon that keeps one open cannot hold us up.

mod adopted;
mod capture;
mod chief;
mod ended;
mod foreign;
mod identity;
mod invocation;
mod leader;
mod log;
mod mark;
mod orphans;
mod outlet;
mod relay;
mod running;
mod site;
mod snapshot;
mod spec;
mod spool;
mod sweep;
mod table;
mod tag;
mod tree;
mod usage;
mod users;

pub use adopted::{AdoptError, Adopted, Claim, adopt, read_rest};
pub use capture::{CaptureError, CaptureLimits, Captured, capture};
pub use ended::{Ended, Ending, Exit};
pub use identity::ProcessIdentity;
pub use invocation::{Invocation, SpawnError, Stdin};
pub use mark::{Mark, MarkError};
pub use running::{Running, spawn};
pub use site::{Astray, Site};
pub use spec::Spec;
pub use tree::{StillAlive, end_marked};
pub use users::users;
