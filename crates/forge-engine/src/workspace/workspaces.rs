//! The feature that owns the worktrees of tasks; its methods are in the files of this folder.

use crate::command::clock::Clock;
use crate::effects::faults::FaultPoints;
use crate::nodes::data_directory::DataDirectory;
use crate::workspace::journal::WorkspaceJournals;
use crate::workspace::pool::PoolDemand;
use crate::workspace::pool::maintain::WorktreePools;
use crate::workspace::task_repos::TaskRepos;
use forge_git::{RepoLocks, WorkspaceLocks, WorkspaceRoot};
use forge_store::Db;
use std::sync::Arc;

/// The worktrees of tasks: creates, locks, restores and resets them.
#[derive(Debug, Clone)]
pub(crate) struct Workspaces {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) faults: FaultPoints,
    pub(crate) journals: WorkspaceJournals,
    pub(crate) pool_demand: Arc<PoolDemand>,
    pub(crate) pools: WorktreePools,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) repos: TaskRepos,
    pub(crate) root: WorkspaceRoot,
    pub(crate) workspace_locks: WorkspaceLocks,
}
