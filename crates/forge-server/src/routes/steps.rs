//! Durable steps: what the engine did, does and still has to do for a task (M-1).

use axum::Json;
use axum::extract::State;
use forge_api::{Page, PageQuery, Step};
use forge_domain::TaskId;
use forge_store::tables;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::convert::step::step;
use crate::failure::Failure;
use crate::input::{Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list))
}

/// A task's steps in the order they were wanted.
#[utoipa::path(get, path = "/tasks/{id}/steps", tag = "tasks", operation_id = "list_steps",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Step>)))]
async fn list(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Step>>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let (rows, now) =
        (tables::effects::list_of_task(app.engine.db(), task.id).await?, app.engine.now());
    let steps = rows.iter().map(|row| step(row, now)).collect();
    Ok(Json(paging::cut(steps, &query)?))
}
