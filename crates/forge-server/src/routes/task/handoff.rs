//! The route to hand off a task (T-20).

use axum::Json;
use axum::extract::State;
use forge_api::{NewHandoff, Task, actions};
use forge_domain::{TaskCommand, TaskId};
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::{JsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        HAND_OFF_TASK => hand_off,
    ]
}

/// Hand off a task
///
/// Before the answer its execution is stopped and its work is saved. The task then has no holder, and the next claim
/// continues in the same worktree on the same branch, with the note in its prompt.
#[utoipa::path(post, path = actions::HAND_OFF_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")), request_body = NewHandoff,
    responses((status = 200, description = "The task.", body = Task)))]
async fn hand_off(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewHandoff>,
) -> Result<Json<Task>, ApiError> {
    let task = TaskId::new(id);
    let command = TaskCommand::HandOff { message: asked.message };
    app.engine.commands().handle(caller.actor, task, command).await?;
    let settled = app.wait_until_settled(task).await?;
    Ok(Json(convert::tasks::task::task(&settled)))
}
