//! The route for the pull request of a task (M-16).

use axum::Json;
use axum::extract::State;
use forge_api::{Task, actions};
use forge_domain::TaskId;
use uuid::Uuid;

use crate::app::AppState;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::Path;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LOOK_AT_PULL_REQUEST => look,
    ]
}

/// Check a task's pull request now
///
/// Without this request Forge checks it within two minutes. Changes nothing for a task that does not wait for a pull
/// request. The answer is the task before the check; events report the result.
#[utoipa::path(post, path = actions::LOOK_AT_PULL_REQUEST.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task.", body = Task)))]
async fn look(State(app): State<AppState>, Path(id): Path<Uuid>) -> Result<Json<Task>, ApiError> {
    let task = app.engine.pull_requests().check_pull_request_now(TaskId::new(id)).await?;
    Ok(Json(convert::tasks::task::task(&task)))
}
