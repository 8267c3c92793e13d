//! Routes for dependencies between tasks (T-16).

use axum::Json;
use axum::extract::State;
use forge_api::{NewDependency, Page, PageQuery, TaskDependency, actions};
use forge_domain::{TaskCommand, TaskId};
use forge_store::tables;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert::tasks::dependency::dependency;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{JsonBody, Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_DEPENDENCIES => list,
        ADD_DEPENDENCY => add,
        REMOVE_DEPENDENCY => remove,
    ]
}

/// List the tasks that a task waits for
#[utoipa::path(get, path = actions::LIST_DEPENDENCIES.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<TaskDependency>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<TaskDependency>>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let ids: Vec<TaskId> = task.dependencies.iter().copied().collect();
    let others = tables::tasks::load_many(app.engine.db(), &ids).await?;
    let edges = others.iter().map(|other| dependency(task.id, other));
    Ok(Json(paging::page_of_list(edges.collect(), &query)?))
}

/// Make a task wait for another task of its project
#[utoipa::path(post, path = actions::ADD_DEPENDENCY.path, tag = "tasks",
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
    app.engine.commands().handle(caller.actor, task, command).await?;
    let other = app.engine.records().task(on).await?;
    Ok((StatusCode::CREATED, Json(dependency(task, &other))))
}

/// Remove a dependency of a task
#[utoipa::path(delete, path = actions::REMOVE_DEPENDENCY.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."),
           ("other" = Uuid, Path, description = "The task it waits for.")),
    responses((status = 204, description = "The task does not wait for the other.")))]
async fn remove(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, other)): Path<(Uuid, Uuid)>,
) -> Result<StatusCode, ApiError> {
    let command = TaskCommand::RemoveDependency { on: TaskId::new(other) };
    app.engine.commands().handle(caller.actor, TaskId::new(id), command).await?;
    Ok(StatusCode::NO_CONTENT)
}
