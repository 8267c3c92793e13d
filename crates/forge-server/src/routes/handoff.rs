//! Handing a task to the next (T-20).

use axum::Json;
use axum::extract::State;
use forge_api::{NewHandoff, Task};
use forge_domain::{Command, TaskId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, Path};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(hand_off))
}

/// Lets go of a task: its run is stopped and its work kept before the answer, nobody carries it any more, and the next
/// claim goes on in the same worktree on the same branch, with the note in its prompt.
#[utoipa::path(post, path = "/tasks/{id}/handoff", tag = "tasks", operation_id = "hand_off_task",
    params(("id" = Uuid, Path, description = "The task.")), request_body = NewHandoff,
    responses((status = 200, description = "The task.", body = Task)))]
async fn hand_off(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<NewHandoff>,
) -> Result<Json<Task>, Failure> {
    let task = TaskId::new(id);
    let command = Command::HandOff { message: asked.message };
    app.engine.handle(caller.actor, task, command).await?;
    let settled = app.settled(task).await?;
    Ok(Json(convert::task::task(&settled)))
}
