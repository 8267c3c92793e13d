//! Worktrees that wait for tasks (W-15): kept in the background, woken by what happens; a timer only shrinks idle pools.

mod abandoned;
mod background_jobs;
mod demand;
mod ignored_files;
mod maintain;
mod opened_repos;
mod pool_limits;

pub(crate) use crate::workspace::pool::background_jobs::BackgroundJobs;
pub(crate) use crate::workspace::pool::demand::PoolDemand;
pub(crate) use crate::workspace::pool::ignored_files::keeps_ignored;
pub(crate) use crate::workspace::pool::opened_repos::OpenedRepos;
pub use crate::workspace::pool::pool_limits::PoolLimits;
