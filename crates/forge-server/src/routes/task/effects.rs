//! The route for the effects of a task: durable work of the engine (M-1).

use axum::Json;
use axum::extract::State;
use forge_api::{EffectView, Page, PageQuery, actions};
use forge_domain::TaskId;
use forge_store::tables;
use uuid::Uuid;

use crate::app::AppState;
use crate::convert::tasks::effect::effect;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_EFFECTS => list,
    ]
}

/// List a task's effects
///
/// In the order of their creation.
#[utoipa::path(get, path = actions::LIST_EFFECTS.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<EffectView>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<EffectView>>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let (rows, now) =
        (tables::effects::list_of_task(app.engine.db(), task.id).await?, app.engine.now());
    let steps = rows.iter().map(|row| effect(row, now)).collect();
    Ok(Json(paging::page_of_list(steps, &query)?))
}
