//! The pull request by which a task lands (M-16).

use axum::Json;
use axum::extract::State;
use forge_api::Task;
use forge_domain::TaskId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::Path;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(look))
}

/// Look at a task's pull request now
///
/// Instead of at the next time it would be looked at anyway, which is two minutes later at most. Changes nothing for a task
/// that does not wait for one. The answer is the task as it was before the look; events say what was seen.
#[utoipa::path(post, path = "/tasks/{id}/pull_request/look", tag = "tasks", operation_id = "look_at_pull_request",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn look(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Task>, Failure> {
    caller.writer()?;
    let task = app.engine.look_at_pull_request(TaskId::new(id)).await?;
    Ok(Json(convert::task::task(&task)))
}
