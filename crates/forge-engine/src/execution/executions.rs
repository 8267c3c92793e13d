//! The feature that performs executions; its methods are in the files of this folder.

use crate::command::clock::Clock;
use crate::effects::process_registry::ProcessRegistry;
use crate::execution::execution_env::ExecutionEnvs;
use crate::execution::prompt::prompt_preview::AgentPrompts;
use crate::execution::server_environment::ServerEnvironment;
use crate::execution::silence_watch::SilenceMonitor;
use crate::nodes::data_directory::DataDirectory;
use crate::recovery::adopted_locks::AdoptedLocks;
use crate::recovery::restart_policy::RestartPolicy;
use crate::recovery::shutdown_signals::ShutdownSignals;
use crate::workspace::journal::WorkspaceJournals;
use crate::workspace::task_repos::TaskRepos;
use crate::workspace::workspaces::Workspaces;
use forge_git::RepoLocks;
use forge_store::Db;
use std::sync::Arc;
use tokio_util::task::TaskTracker;

/// Runs, adopts and ends executions of agents.
#[derive(Debug, Clone)]
pub(crate) struct Executions {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) adopted_locks: AdoptedLocks,
    pub(crate) environment: Arc<ServerEnvironment>,
    pub(crate) envs: ExecutionEnvs,
    pub(crate) journals: WorkspaceJournals,
    pub(crate) log_bytes: u64,
    pub(crate) processes: ProcessRegistry,
    pub(crate) prompts: AgentPrompts,
    pub(crate) repo_locks: RepoLocks,
    pub(crate) repos: TaskRepos,
    pub(crate) restart_policy: RestartPolicy,
    pub(crate) running_agents: TaskTracker,
    pub(crate) signals: ShutdownSignals,
    pub(crate) silence: SilenceMonitor,
    pub(crate) workspaces: Workspaces,
}
