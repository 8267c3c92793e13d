//! Reads single objects.

use crate::command::errors::EngineError;
use crate::command::workflow_cache::WorkflowCache;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{Workflow, WorkflowHash};
use forge_domain::{AgentId, ProjectId, TaskId};
use forge_store::{Db, tables};
use std::sync::Arc;

/// Reads tasks, projects, agents and workflows.
#[derive(Debug, Clone)]
pub struct RecordReader {
    pub(crate) db: Db,
    pub(crate) workflows: WorkflowCache,
}

impl RecordReader {
    /// Loads a task.
    pub async fn task(&self, id: TaskId) -> Result<TaskSnapshot, EngineError> {
        require_found(tables::tasks::load(&self.db, id).await?, "task", id)
    }

    /// Loads a project.
    pub async fn project(
        &self,
        id: ProjectId,
    ) -> Result<tables::projects::ProjectRow, EngineError> {
        require_found(tables::projects::load(&self.db, id).await?, "project", id)
    }

    /// Loads an agent.
    pub async fn agent(&self, id: AgentId) -> Result<tables::agents::AgentRow, EngineError> {
        require_found(tables::agents::load(&self.db, id).await?, "agent", id)
    }

    /// The compiled workflow of a hash.
    pub async fn workflow(&self, hash: &WorkflowHash) -> Result<Arc<Workflow>, EngineError> {
        self.workflows.load(&self.db, hash).await
    }
}

pub(crate) fn require_found<T>(
    row: Option<T>,
    noun: &'static str,
    id: impl ToString,
) -> Result<T, EngineError> {
    row.ok_or_else(|| EngineError::NotFound { noun, id: id.to_string() })
}
