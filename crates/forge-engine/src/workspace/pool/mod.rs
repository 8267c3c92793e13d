//! Worktrees that wait for tasks (W-15): kept in the background, woken by what happens; a timer only shrinks idle pools.

pub(crate) mod abandoned;
pub(crate) mod background_jobs;
pub(crate) mod demand;
pub(crate) mod ignored_files;
pub(crate) mod maintain;
pub(crate) mod opened_repos;
pub(crate) mod pool_limits;

pub(crate) use crate::workspace::pool::background_jobs::BackgroundJobs;
pub(crate) use crate::workspace::pool::demand::PoolDemand;
pub use crate::workspace::pool::maintain::WorktreePools;
pub(crate) use crate::workspace::pool::opened_repos::OpenedRepos;
pub use crate::workspace::pool::pool_limits::PoolLimits;
