//! The route for the effects of a task: durable work of the engine (M-1).

use axum::Json;
use axum::extract::State;
use forge_api::{EffectView, Page, PageQuery};
use forge_domain::TaskId;
use forge_store::tables;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::AppState;
use crate::convert::tasks::effect::effect;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{Path, Query};

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
}

/// List a task's effects
///
/// In the order of their creation.
#[utoipa::path(get, path = "/tasks/{id}/effects", tag = "tasks", operation_id = "list_effects",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<EffectView>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<EffectView>>, ApiError> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let (rows, now) =
        (tables::effects::list_of_task(app.engine.db(), task.id).await?, app.engine.now());
    let steps = rows.iter().map(|row| effect(row, now)).collect();
    Ok(Json(paging::page_of_list(steps, &query)?))
}
