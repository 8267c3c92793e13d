//! Runs of agents and people, and their logs (E-5).

use axum::Json;
use axum::extract::State;
use forge_api::{Execution, LogPage, LogQuery, Page, PageQuery};
use forge_domain::task::Snapshot;
use forge_domain::{ExecutionId, TaskId};
use forge_store::tables::executions;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::log;
use super::missing::{Noun, missing};
use crate::app::App;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(show)).routes(routes!(read_log))
}

/// A task's runs, the oldest first.
#[utoipa::path(get, path = "/tasks/{id}/executions", tag = "executions", operation_id = "list_executions",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Execution>)))]
async fn list(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Execution>>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let rows = executions::list_of_task(app.engine.db(), task.id).await?;
    let page = paging::cut(rows, &query)?;
    let mut items = Vec::with_capacity(page.items.len());
    for row in &page.items {
        items.push(seen(&app, &task, row).await);
    }
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

/// One run.
#[utoipa::path(get, path = "/executions/{id}", tag = "executions", operation_id = "get_execution",
    params(("id" = Uuid, Path, description = "The execution.")),
    responses((status = 200, description = "The execution.", body = Execution)))]
async fn show(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Json<Execution>, Failure> {
    let row = found(&app, ExecutionId::new(id)).await?;
    let task = app.engine.task(row.task_id).await?;
    Ok(Json(seen(&app, &task, &row).await))
}

/// A part of a run's output, by bytes; pages end between characters.
#[utoipa::path(get, path = "/executions/{id}/log", tag = "executions", operation_id = "get_execution_log",
    params(("id" = Uuid, Path, description = "The execution."), LogQuery),
    responses((status = 200, description = "A part of the log.", body = LogPage)))]
async fn read_log(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<LogQuery>,
) -> Result<Json<LogPage>, Failure> {
    let row = found(&app, ExecutionId::new(id)).await?;
    let complete = row.status == executions::ExecutionStatus::Finished;
    let path = app.engine.home().log(row.id.uuid());
    Ok(Json(log::page(&path, &query, complete).await?))
}

/// A run of a task that was just read.
pub(super) async fn of_task(
    app: &App,
    task: &Snapshot,
    id: ExecutionId,
) -> Result<Execution, Failure> {
    let row = found(app, id).await?;
    Ok(seen(app, task, &row).await)
}

async fn seen(app: &App, task: &Snapshot, row: &executions::Execution) -> Execution {
    let bytes = log::size(&app.engine.home().log(row.id.uuid())).await;
    convert::execution::execution(row, task, bytes)
}

pub(super) async fn found(app: &App, id: ExecutionId) -> Result<executions::Execution, Failure> {
    let row = executions::load(app.engine.db(), id).await?;
    row.ok_or_else(|| missing(Noun::Execution, id, "GET /tasks/{id}/executions lists them"))
}
