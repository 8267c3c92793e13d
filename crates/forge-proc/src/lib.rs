//! Child processes: start them in their own session, keep their output bounded, and end the whole tree.
//!
//! A process is known by pid, start time and boot id ([`ProcessIdentity`]). The processes of a run are found by what
//! they cannot lose by accident: a tag that is inherited as a resource limit, the [`Mark`] in the environment, the
//! session, and having been seen below the run's program. This process is the next parent of their orphans, so
//! none stays a zombie. Nothing here waits for a pipe to close: a daemon that keeps one open cannot hold us up.
//!
//! A run that is [`Spec::adoptable`] outlives its server: a relay keeps its pipe open and its output, and the next
//! server goes on with both ([`adopt`]).
//!
//! # What is not promised
//!
//! This is supervision of trusted programs, not a prison; that is what a sandbox is for (E-14).
//! - A program that means to hide can: it may change its limit (lower it, or as root set any), its environment and its
//!   session, all three, and lose its parent between two looks.
//! - A program that forks, leaves and changes its group again and again, faster than the process table is read, may
//!   not be hit within the patience of a sweep. It is then still found by a later one. Only the kernel's own kill of a
//!   control group or a namespace is free of that race.
//! - Work handed to a daemon that was there before (a container engine, `at`, a user's service manager) is not below us.
//! - After a restart, the exit code of an adopted program is known if its orphan came to us or its keeper, a small
//!   process of its own, wrote it down; a keeper that was killed writes nothing. A code above 128 of a run that can be
//!   adopted counts as the signal it stands for.

mod adopted;
mod capture;
mod chief;
mod desk;
mod ended;
mod foreign;
mod hurry;
mod identity;
mod invocation;
mod keeper;
mod leader;
mod log;
mod mark;
mod orphans;
mod outlet;
mod output;
mod priority;
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

pub use adopted::{AdoptError, Adopted, Claim, adopt, load_exit, read_rest};
pub use capture::{CaptureError, CaptureLimits, Captured, capture};
pub use desk::at_a_desk;
pub use ended::{Ended, Ending, Exit};
pub use hurry::unhurried;
pub use identity::ProcessIdentity;
pub use invocation::{Invocation, SpawnError, Stdin};
pub use mark::{Mark, MarkError};
pub use running::{Running, spawn};
pub use site::{Astray, Site};
pub use spec::Spec;
pub use tree::{StillAlive, end_marked};
pub use users::users;
