//! The object that limits the callers of an action: the one that the first parameter of its path names.

use axum::RequestExt;
use axum::extract::{RawPathParams, Request};
use forge_api::ErrorCode;
use forge_api::actions::ScopeObject;
use forge_domain::{ExecutionId, ProjectId, ReviewId, TaskId};
use forge_store::tables::execution_tokens::ExecutionTokenOwner;
use forge_store::tables::members::{self, ProjectResource};
use forge_store::tables::{executions, reviews, tasks};
use serde_json::json;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::caller_identity::Caller;
use crate::error::api_error::ApiError;

/// An object as a request names it.
pub(crate) struct ScopedObject {
    kind: ScopeObject,
    id: String,
    /// `None` if the parameter is not an identifier.
    object: Option<ProjectResource>,
}

impl ScopedObject {
    /// The object of the request; `None` if the action belongs to no project.
    pub(crate) async fn of_request(
        declared: ScopeObject,
        request: &mut Request,
    ) -> Result<Option<Self>, ApiError> {
        if declared == ScopeObject::Server {
            return Ok(None);
        }
        let parameters = request.extract_parts::<RawPathParams>().await;
        let parameters = parameters.map_err(|_| ApiError::from_code(ErrorCode::NotFound))?;
        let text = parameters.iter().next().map(|(_, text)| text).unwrap_or_default();
        let object = text.parse().ok().and_then(|id: Uuid| match declared {
            ScopeObject::Server => None,
            ScopeObject::Project => Some(ProjectResource::Project(ProjectId::new(id))),
            ScopeObject::Task => Some(ProjectResource::Task(TaskId::new(id))),
            ScopeObject::Execution => Some(ProjectResource::Execution(ExecutionId::new(id))),
            ScopeObject::Review => Some(ProjectResource::Review(ReviewId::new(id))),
        });
        Ok(Some(Self { kind: declared, id: text.to_owned(), object }))
    }

    /// Refuses objects of the planner's own task: a planner directs its subtasks and not itself. The handler limits
    /// what it does to the project.
    pub(crate) async fn require_subtask(
        &self,
        app: &AppState,
        owner: ExecutionTokenOwner,
    ) -> Result<(), ApiError> {
        let task = match self.object {
            Some(ProjectResource::Project(_)) => return Ok(()),
            Some(object) => task_of(app, object).await?,
            None => None,
        };
        if task.is_some_and(|task| task != owner.task_id) {
            return Ok(());
        }
        Err(ApiError::new(
            ErrorCode::Forbidden,
            "The token of a planner allows this for the subtasks of its task, not for the task itself.",
        ))
    }

    /// Refuses callers who may not see the object, as if it did not exist.
    pub(crate) async fn require_visible(
        &self,
        app: &AppState,
        caller: &Caller,
    ) -> Result<(), ApiError> {
        let is_visible = match (caller.execution(), caller.membership_filter(), self.object) {
            (Some(owner), _, Some(object)) => is_own_object(app, owner, object).await?,
            (None, Some(user), Some(object)) => {
                members::is_member(app.engine.db(), user, object).await?
            }
            (None, None, _) => true,
            (_, _, None) => false,
        };
        if is_visible {
            return Ok(());
        }
        let Self { kind, id, .. } = self;
        let noun = format!("{kind:?}").to_lowercase();
        let message = format!(
            "there is no {noun} {id} that you may see; check the identifier, or ask a member of its project to add you"
        );
        Err(ApiError::new(ErrorCode::NotFound, message)
            .with_details(json!({ "kind": kind, "id": id })))
    }
}

/// Whether an execution may see an object: one of its project or task, or, if it plans, of a subtask.
pub(crate) async fn is_own_object(
    app: &AppState,
    owner: ExecutionTokenOwner,
    object: ProjectResource,
) -> Result<bool, ApiError> {
    if let ProjectResource::Project(project) = object {
        return Ok(project == owner.project_id);
    }
    let Some(task) = task_of(app, object).await? else { return Ok(false) };
    if task == owner.task_id {
        return Ok(true);
    }
    if !owner.is_planner {
        return Ok(false);
    }
    let found = tasks::load(app.engine.db(), task).await?;
    Ok(found.is_some_and(|found| found.parent == Some(owner.task_id)))
}

/// The task that an object belongs to.
async fn task_of(app: &AppState, object: ProjectResource) -> Result<Option<TaskId>, ApiError> {
    let db = app.engine.db();
    Ok(match object {
        ProjectResource::Project(_) => None,
        ProjectResource::Task(task) => Some(task),
        ProjectResource::Execution(id) => executions::load(db, id).await?.map(|row| row.task_id),
        ProjectResource::Review(id) => reviews::load(db, id).await?.map(|row| row.task_id),
    })
}
