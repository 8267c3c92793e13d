//! Worktrees that wait for tasks (W-15): kept in the background, woken by what happens, never by time.

mod abandoned;
mod chores;
mod keeping;
mod limits;
mod opened;
mod tend;

pub(crate) use chores::Chores;
pub(crate) use keeping::keeps_ignored;
pub use limits::PoolLimits;
pub(crate) use opened::OpenedRepos;
