//! The parts of a task (T-17).

use axum::Json;
use axum::extract::State;
use forge_api::{Page, PageQuery, Task};
use forge_domain::TaskId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list))
}

/// The tasks that are part of this one: its ordered turns in their order, then the independent ones.
#[utoipa::path(get, path = "/tasks/{id}/subtasks", tag = "tasks", operation_id = "list_subtasks",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Task>)))]
async fn list(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Task>>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let parts = app.engine.subtasks_of(&task).await?;
    Ok(Json(paging::cut(parts.iter().map(convert::task::task).collect(), &query)?))
}
