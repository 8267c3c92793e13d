//! The route for the pull request of a task (M-16).

use axum::Json;
use axum::extract::State;
use forge_api::Task;
use forge_domain::TaskId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::Path;

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(look))
}

/// Check a task's pull request now
///
/// Without this request Forge checks it within two minutes. Changes nothing for a task that does not wait for a pull
/// request. The answer is the task before the check; events report the result.
#[utoipa::path(post, path = "/tasks/{id}/pull_request/look", tag = "tasks", operation_id = "look_at_pull_request",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn look(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Task>, ApiError> {
    caller.require_write_scope()?;
    let task = app.engine.check_pull_request_now(TaskId::new(id)).await?;
    Ok(Json(convert::tasks::task::task(&task)))
}
