//! What a task waits for (T-16).

use axum::Json;
use axum::extract::State;
use forge_api::{Dependency, NewDependency, Page, PageQuery};
use forge_domain::{Command, TaskId};
use forge_store::tables;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert::dependency::dependency;
use crate::failure::Failure;
use crate::input::{Body, Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list, add)).routes(routes!(remove))
}

/// The tasks this one waits for.
#[utoipa::path(get, path = "/tasks/{id}/dependencies", tag = "tasks", operation_id = "list_dependencies",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Dependency>)))]
async fn list(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Dependency>>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let ids: Vec<TaskId> = task.dependencies.iter().copied().collect();
    let others = tables::tasks::load_many(app.engine.db(), &ids).await?;
    let edges = others.iter().map(|other| dependency(task.id, other));
    Ok(Json(paging::cut(edges.collect(), &query)?))
}

/// Makes the task wait for another of its project.
#[utoipa::path(post, path = "/tasks/{id}/dependencies", tag = "tasks", operation_id = "add_dependency",
    params(("id" = Uuid, Path, description = "The task.")), request_body = NewDependency,
    responses((status = 201, description = "The task waits.", body = Dependency)))]
async fn add(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<NewDependency>,
) -> Result<(StatusCode, Json<Dependency>), Failure> {
    let (task, on) = (TaskId::new(id), TaskId::new(asked.depends_on_id));
    caller.require_tasks(&app, [on]).await?;
    let command = Command::AddDependency { on };
    app.engine.handle(caller.actor, task, command).await?;
    let other = app.engine.task(on).await?;
    Ok((StatusCode::CREATED, Json(dependency(task, &other))))
}

/// Makes the task wait for another no longer.
#[utoipa::path(delete, path = "/tasks/{id}/dependencies/{other}", tag = "tasks",
    operation_id = "remove_dependency",
    params(("id" = Uuid, Path, description = "The task."),
           ("other" = Uuid, Path, description = "The task it waits for.")),
    responses((status = 204, description = "The task does not wait for the other.")))]
async fn remove(
    State(app): State<App>,
    caller: Caller,
    Path((id, other)): Path<(Uuid, Uuid)>,
) -> Result<StatusCode, Failure> {
    let command = Command::RemoveDependency { on: TaskId::new(other) };
    app.engine.handle(caller.actor, TaskId::new(id), command).await?;
    Ok(StatusCode::NO_CONTENT)
}
