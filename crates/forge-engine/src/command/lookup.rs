//! Reads single objects.

use crate::command::errors::EngineError;
use crate::engine::Engine;
use crate::execution::server_environment::AgentVariables;
use forge_agent::ExecutorConfig;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{Workflow, WorkflowHash};
use forge_domain::{AgentId, ProjectId, TaskId};
use forge_store::tables;
use std::sync::Arc;

impl Engine {
    /// Loads a task.
    pub async fn task(&self, id: TaskId) -> Result<TaskSnapshot, EngineError> {
        require_found(tables::tasks::load(self.db(), id).await?, "task", id)
    }

    /// Loads a project.
    pub async fn project(
        &self,
        id: ProjectId,
    ) -> Result<tables::projects::ProjectRow, EngineError> {
        require_found(tables::projects::load(self.db(), id).await?, "project", id)
    }

    /// Loads an agent.
    pub async fn agent(&self, id: AgentId) -> Result<tables::agents::AgentRow, EngineError> {
        require_found(tables::agents::load(self.db(), id).await?, "agent", id)
    }

    /// The names of an agent's variables, by origin.
    pub fn environment_of(
        &self,
        agent: &tables::agents::AgentRow,
    ) -> Result<AgentVariables, EngineError> {
        let executor = ExecutorConfig::from_json(&agent.executor);
        let executor = executor.map_err(|error| EngineError::Corrupt(error.to_string()))?;
        Ok(self.0.environment.agent_variables(&executor))
    }

    /// The version of git; `None` if git does not answer.
    pub async fn git_version(&self) -> Option<String> {
        self.0.git.version().await.ok()
    }

    /// The compiled workflow of a hash.
    pub async fn workflow(&self, hash: &WorkflowHash) -> Result<Arc<Workflow>, EngineError> {
        self.0.workflows.load(self.db(), hash).await
    }
}

pub(crate) fn require_found<T>(
    row: Option<T>,
    noun: &'static str,
    id: impl ToString,
) -> Result<T, EngineError> {
    row.ok_or_else(|| EngineError::NotFound { noun, id: id.to_string() })
}
