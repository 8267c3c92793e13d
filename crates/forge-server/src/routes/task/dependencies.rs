//! Routes for dependencies between tasks (T-16).

use axum::Json;
use axum::extract::State;
use forge_api::{NewDependency, Page, PageQuery, TaskDependency};
use forge_domain::{TaskCommand, TaskId};
use forge_store::tables;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert::tasks::dependency::dependency;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(remove))
}

/// List the tasks that a task waits for
#[utoipa::path(get, path = "/tasks/{id}/dependencies", tag = "tasks", operation_id = "list_dependencies",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<TaskDependency>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<TaskDependency>>, ApiError> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let ids: Vec<TaskId> = task.dependencies.iter().copied().collect();
    let others = tables::tasks::load_many(app.engine.db(), &ids).await?;
    let edges = others.iter().map(|other| dependency(task.id, other));
    Ok(Json(paging::page_of_list(edges.collect(), &query)?))
}

/// Make a task wait for another task of its project
#[utoipa::path(post, path = "/tasks/{id}/dependencies", tag = "tasks", operation_id = "add_dependency",
    params(("id" = Uuid, Path, description = "The task.")), request_body = NewDependency,
    responses((status = 201, description = "The task waits.", body = TaskDependency)))]
async fn add(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewDependency>,
) -> Result<(StatusCode, Json<TaskDependency>), ApiError> {
    let (task, on) = (TaskId::new(id), TaskId::new(asked.depends_on_id));
    caller.require_tasks(&app, [on]).await?;
    let command = TaskCommand::AddDependency { on };
    app.engine.handle(caller.actor, task, command).await?;
    let other = app.engine.task(on).await?;
    Ok((StatusCode::CREATED, Json(dependency(task, &other))))
}

/// Remove a dependency of a task
#[utoipa::path(delete, path = "/tasks/{id}/dependencies/{other}", tag = "tasks",
    operation_id = "remove_dependency",
    params(("id" = Uuid, Path, description = "The task."),
           ("other" = Uuid, Path, description = "The task it waits for.")),
    responses((status = 204, description = "The task does not wait for the other.")))]
async fn remove(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, other)): Path<(Uuid, Uuid)>,
) -> Result<StatusCode, ApiError> {
    let command = TaskCommand::RemoveDependency { on: TaskId::new(other) };
    app.engine.handle(caller.actor, TaskId::new(id), command).await?;
    Ok(StatusCode::NO_CONTENT)
}
