//! Routes for executions of agents and users.

use axum::Json;
use axum::extract::State;
use forge_api::{Execution, Page, PageQuery, actions};
use forge_domain::task::TaskSnapshot;
use forge_domain::{ExecutionId, TaskId};
use forge_store::tables::executions;
use uuid::Uuid;

use crate::app::AppState;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::missing_resource::{MissingResource, missing};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_EXECUTIONS => list,
        GET_EXECUTION => show,
    ]
}

/// List a task's executions
///
/// Oldest first.
#[utoipa::path(get, path = actions::LIST_EXECUTIONS.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Execution>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Execution>>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let rows = executions::list_of_task(app.engine.db(), task.id).await?;
    let page = paging::page_of_list(rows, &query)?;
    let mut items = Vec::with_capacity(page.items.len());
    for row in &page.items {
        items.push(execution_view(&app, &task, row).await);
    }
    Ok(Json(Page { items, next_cursor: page.next_cursor }))
}

/// Show an execution
#[utoipa::path(get, path = actions::GET_EXECUTION.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The execution.")),
    responses((status = 200, description = "The execution.", body = Execution)))]
async fn show(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<Execution>, ApiError> {
    let row = load_execution(&app, ExecutionId::new(id)).await?;
    let task = app.engine.records().task(row.task_id).await?;
    Ok(Json(execution_view(&app, &task, &row).await))
}

/// An execution of a task that was just loaded.
pub(crate) async fn task_execution(
    app: &AppState,
    task: &TaskSnapshot,
    id: ExecutionId,
) -> Result<Execution, ApiError> {
    let row = load_execution(app, id).await?;
    Ok(execution_view(app, task, &row).await)
}

async fn execution_view(
    app: &AppState,
    task: &TaskSnapshot,
    row: &executions::ExecutionRow,
) -> Execution {
    let bytes = app.engine.transcripts().output_size(row.id).await;
    convert::executions::execution::execution(row, task, bytes)
}

pub(crate) async fn load_execution(
    app: &AppState,
    id: ExecutionId,
) -> Result<executions::ExecutionRow, ApiError> {
    let row = executions::load(app.engine.db(), id).await?;
    row.ok_or_else(|| missing(MissingResource::Execution, id, "look at the executions of its task"))
}
