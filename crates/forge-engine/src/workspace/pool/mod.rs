//! Pools of worktrees that are checked out before a task needs one, a pool for each repository (W-15). Background jobs
//! keep a pool at its target size and at the tip of the default branch, repair its worktrees, remove pools without a
//! repository and empty the trash.
//!
//! An event starts a job: a worktree was taken or returned, a target moved, a repository was added or removed, the
//! server started. A timer starts one only to shrink a pool after a burst of claims. A job is idle, running, or running
//! with a repetition requested (`BackgroundJobs`); after three failures in a row it waits for the next event. The
//! states of a pooled worktree are described in `forge-git/src/pool/`.
//!
//! Jobs and recent claims are only in memory. Crash: the next start runs every job; it compares the worktrees that are
//! marked ready, and repairs or drops all others.

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
