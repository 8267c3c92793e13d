//! Agents belong to a project or to the server; only an admin changes those of the server (S-6).

use forge_api::ErrorCode;
use forge_domain::{AgentId, ProjectId};
use forge_engine::EngineError;
use forge_store::tables::agents::AgentRow;
use forge_store::tables::members::{ProjectResource, is_member};

use crate::app::AppState;
use crate::caller::Caller;
use crate::error::api_error::ApiError;

impl Caller {
    /// The agent, if the caller may see it.
    pub(crate) async fn visible_agent(
        &self,
        app: &AppState,
        id: AgentId,
    ) -> Result<AgentRow, ApiError> {
        let agent = app.engine.records().agent(id).await?;
        let visible = match (self.execution(), self.membership_filter(), agent.project_id) {
            (Some(owner), _, _) => agent.works_for(owner.project_id),
            (None, None, _) | (None, _, None) => true,
            (None, Some(user), Some(project)) => {
                is_member(app.engine.db(), user, ProjectResource::Project(project)).await?
            }
        };
        if visible {
            return Ok(agent);
        }
        Err(EngineError::NotFound { noun: "agent", id: id.to_string() }.into())
    }

    /// The agent, if the caller may change it. A removed one can be read, and not changed.
    pub(crate) async fn changeable_agent(
        &self,
        app: &AppState,
        id: AgentId,
    ) -> Result<AgentRow, ApiError> {
        let agent = self.visible_agent(app, id).await?;
        self.require_owner_of_agents(agent.project_id)?;
        if agent.removed_at.is_none() {
            return Ok(agent);
        }
        Err(EngineError::NotFound { noun: "agent", id: id.to_string() }.into())
    }

    /// The agent, if the caller may see it and tasks of this project may be assigned to it; without a project, an
    /// agent of the server.
    pub(crate) async fn usable_agent(
        &self,
        app: &AppState,
        id: AgentId,
        project: Option<ProjectId>,
    ) -> Result<AgentRow, ApiError> {
        let agent = self.visible_agent(app, id).await?;
        let works = project.map_or(agent.project_id.is_none(), |project| agent.works_for(project));
        if works && agent.removed_at.is_none() {
            return Ok(agent);
        }
        Err(EngineError::NotFound { noun: "agent", id: id.to_string() }.into())
    }

    /// Refuses callers that are not admins for agents of the server.
    pub(crate) fn require_owner_of_agents(
        &self,
        project: Option<ProjectId>,
    ) -> Result<(), ApiError> {
        match project {
            None if self.require_admin().is_err() => Err(ApiError::new(
                ErrorCode::Forbidden,
                "Agents of the server work for every project, so only an admin defines or changes them. \
                 Ask one, or name your project in `project_id`.",
            )),
            _ => Ok(()),
        }
    }
}
