//! Whether an agent's program is installed on the machine that would run it.

use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::execution::server_environment::ServerEnvironment;
use crate::nodes::data_directory::DataDirectory;
use forge_agent::ExecutorConfig;
use forge_domain::task::ExecutionOverrides;
use forge_domain::{AgentId, PermissionPolicy, TaskId};
use forge_store::tables::agents::AgentRow;
use forge_store::{Db, tables};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// Finds the programs of agents on this machine.
#[derive(Debug, Clone)]
pub struct AgentPrograms {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) environment: Arc<ServerEnvironment>,
    pub(crate) lease_seconds: u64,
    pub(crate) records: RecordReader,
}

impl AgentPrograms {
    /// Refuses an executor whose program is missing, unless another server could run it.
    pub(crate) async fn check_program(
        &self,
        executor: &serde_json::Value,
    ) -> Result<(), EngineError> {
        self.check_program_on(executor, &self.search_path()).await
    }

    /// Refuses a claim by an agent whose program is missing.
    pub async fn check_claimer_program(
        &self,
        agent: AgentId,
        task: TaskId,
    ) -> Result<(), EngineError> {
        let agent = self.records.agent(agent).await?;
        if missing_program(&agent.executor, &self.search_path()).is_none() {
            return Ok(());
        }
        // Not on the server's own PATH; the project may set another one.
        let project = self.records.project(self.records.task(task).await?.project_id).await?;
        let own = project.settings.setup()?.env.get("PATH");
        let search = own.map_or_else(|| self.search_path(), OsString::from);
        self.check_program_on(&agent.executor, &search).await
    }

    /// Refuses a claim whose overrides the agent's program cannot apply (T-3).
    pub fn check_overrides(
        &self,
        agent: &AgentRow,
        overrides: &ExecutionOverrides,
    ) -> Result<(), EngineError> {
        let executor = read_executor(agent)?;
        executor.clone().with_overrides(overrides).map(drop).map_err(|error| {
            EngineError::OverrideUnsupported {
                field: error.field(),
                supported: executor.supported_overrides(),
                problem: error.to_string(),
            }
        })
    }

    /// The policy that the agent's owner chose; `None` if its program has none.
    pub fn own_policy(&self, agent: &AgentRow) -> Result<Option<PermissionPolicy>, EngineError> {
        Ok(read_executor(agent)?.policy())
    }

    /// The agents whose program is missing, unless another server could run it.
    pub(crate) async fn load_programless(
        &self,
        agents: &[AgentRow],
    ) -> Result<HashSet<AgentId>, EngineError> {
        let search = self.search_path();
        let lacks = |agent: &&AgentRow| missing_program(&agent.executor, &search).is_some();
        let found: HashSet<_> = agents.iter().filter(lacks).map(|agent| agent.id).collect();
        Ok(if found.is_empty() || self.is_only_node().await? { found } else { HashSet::new() })
    }

    async fn check_program_on(
        &self,
        executor: &serde_json::Value,
        search: &OsStr,
    ) -> Result<(), EngineError> {
        match missing_program(executor, search) {
            Some(program) if self.is_only_node().await? => {
                Err(EngineError::ProgramMissing { program })
            }
            _ => Ok(()),
        }
    }

    /// The `PATH` that agents inherit from this server.
    fn search_path(&self) -> OsString {
        let mut variables = self.environment.vars();
        variables.find(|(name, _)| name == "PATH").map(|(_, value)| value).unwrap_or_default()
    }

    /// Whether no other server starts agents. Another one may have other programs installed.
    async fn is_only_node(&self) -> Result<bool, EngineError> {
        let (own, now) = (self.home.node().to_string(), self.clock.now().millis());
        let lease = i64::try_from(self.lease_seconds).unwrap_or(i64::MAX);
        let oldest = now.saturating_sub(lease.saturating_mul(1000));
        let nodes = tables::nodes::list(&self.db).await?;
        let others = nodes.iter().filter(|node| node.id != own);
        Ok(others.into_iter().all(|node| node.heartbeat_at.millis() < oldest))
    }
}

fn read_executor(agent: &AgentRow) -> Result<ExecutorConfig, EngineError> {
    ExecutorConfig::from_json(&agent.executor).map_err(|error| {
        EngineError::Corrupt(format!(
            "the executor of the agent {} is invalid: {error}",
            agent.name
        ))
    })
}

/// The missing program of an executor. An invalid executor is refused elsewhere.
fn missing_program(executor: &serde_json::Value, search: &OsStr) -> Option<String> {
    let executor = ExecutorConfig::from_json(executor).ok()?;
    executor.missing_program(search).map(str::to_owned)
}
