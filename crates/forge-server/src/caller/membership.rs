//! Limits members to their projects where a request names objects outside the path (S-6).

use forge_domain::{ProjectId, TaskId};
use forge_engine::EngineError;
use forge_store::tables::members::{self, ProjectResource};

use crate::app::AppState;
use crate::caller::caller_identity::Caller;
use crate::caller::scoped_object::is_own_object;
use crate::error::api_error::ApiError;

impl Caller {
    /// Checks that the caller may see a project that the request names outside the path.
    pub(crate) async fn require_project(
        &self,
        app: &AppState,
        id: ProjectId,
    ) -> Result<(), ApiError> {
        self.require(app, ProjectResource::Project(id), "project", &id.to_string()).await
    }

    /// Checks that the caller may see these tasks, so that a member cannot find out whether a hidden task exists by
    /// referring to it.
    pub(crate) async fn require_tasks(
        &self,
        app: &AppState,
        ids: impl IntoIterator<Item = TaskId>,
    ) -> Result<(), ApiError> {
        for id in ids {
            self.require(app, ProjectResource::Task(id), "task", &id.to_string()).await?;
        }
        Ok(())
    }

    async fn require(
        &self,
        app: &AppState,
        place: ProjectResource,
        noun: &'static str,
        id: &str,
    ) -> Result<(), ApiError> {
        let is_visible = match (self.execution(), self.membership_filter()) {
            (Some(owner), _) => is_own_object(app, owner, place).await?,
            (None, Some(user)) => members::is_member(app.engine.db(), user, place).await?,
            (None, None) => true,
        };
        if is_visible {
            return Ok(());
        }
        Err(EngineError::NotFound { noun, id: id.to_owned() }.into())
    }
}
