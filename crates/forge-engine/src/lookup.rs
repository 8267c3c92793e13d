//! Reading what the engine looks after.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::task::Snapshot;
use forge_domain::workflow::{Workflow, WorkflowHash};
use forge_domain::{AgentId, ProjectId, TaskId};
use forge_store::tables;
use std::sync::Arc;

impl Engine {
    /// The task.
    pub async fn task(&self, id: TaskId) -> Result<Snapshot, EngineError> {
        found(tables::tasks::load(self.db(), id).await?, "task", id)
    }

    /// The project.
    pub async fn project(&self, id: ProjectId) -> Result<tables::projects::Project, EngineError> {
        found(tables::projects::load(self.db(), id).await?, "project", id)
    }

    /// The agent.
    pub async fn agent(&self, id: AgentId) -> Result<tables::agents::Agent, EngineError> {
        found(tables::agents::load(self.db(), id).await?, "agent", id)
    }

    /// The version of git; `None` if it does not answer.
    pub async fn git_version(&self) -> Option<String> {
        self.0.git.version().await.ok()
    }

    /// The workflow of that hash, compiled.
    pub async fn workflow(&self, hash: &WorkflowHash) -> Result<Arc<Workflow>, EngineError> {
        self.0.workflows.load(self.db(), hash).await
    }
}

pub(crate) fn found<T>(
    row: Option<T>,
    noun: &'static str,
    id: impl ToString,
) -> Result<T, EngineError> {
    row.ok_or_else(|| EngineError::NotFound { noun, id: id.to_string() })
}
