//! The demonstration: a throw-away repository, scripted agents, and tasks that show what Forge is for. Its agents are
//! scripts, but everything else is real: worktrees, commits, checks, a rejection, a conflict, landings.

mod board;
mod cast;
mod driver;
mod errors;
mod files;
mod marker;
mod report;
mod stage;
mod story;

pub(crate) use driver::{drive, resume};
pub(crate) use report::report;
pub(crate) use stage::set;
