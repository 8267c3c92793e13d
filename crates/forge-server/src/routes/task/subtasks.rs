//! The route for subtasks (T-17).

use axum::Json;
use axum::extract::State;
use forge_api::{Page, PageQuery, Task, actions};
use forge_domain::TaskId;
use uuid::Uuid;

use crate::app::AppState;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_SUBTASKS => list,
    ]
}

/// List a task's subtasks
///
/// Ordered turns in their order, then independent subtasks.
#[utoipa::path(get, path = actions::LIST_SUBTASKS.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<Task>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Task>>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let parts = app.engine.records().load_subtasks(&task).await?;
    Ok(Json(paging::page_of_list(parts.iter().map(convert::tasks::task::task).collect(), &query)?))
}
