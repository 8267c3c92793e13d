//! Giving tasks to agents by themselves, and why a task waits (E-10, E-11).

use axum::Json;
use axum::extract::State;
use forge_api::{Dispatch, TaskWaiting};
use forge_domain::{ProjectId, TaskId};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert::dispatch;
use crate::failure::Failure;
use crate::input::Path;

/// As many as a board shows at once.
const MOST_WAITING: u32 = 200;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(why))
        .routes(routes!(waiting))
        .routes(routes!(show))
        .routes(routes!(pause))
        .routes(routes!(resume))
}

/// Say why a task waits
///
/// For every task that an agent could claim; `reasons` is empty for any other.
#[utoipa::path(get, path = "/tasks/{id}/why", tag = "tasks", operation_id = "why_task_waits",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, body = TaskWaiting)))]
async fn why(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Json<TaskWaiting>, Failure> {
    Ok(Json(dispatch::waiting(&app.engine.why(TaskId::new(id)).await?)))
}

/// List the tasks that wait for an agent
///
/// The first two hundred in the order in which they are given out, each with what keeps it.
#[utoipa::path(get, path = "/projects/{id}/waiting", tag = "projects", operation_id = "list_waiting",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<TaskWaiting>)))]
async fn waiting(
    State(app): State<App>,
    Path(id): Path<Uuid>,
) -> Result<Json<Vec<TaskWaiting>>, Failure> {
    let waiting = app.engine.waiting(ProjectId::new(id), MOST_WAITING).await?;
    Ok(Json(waiting.iter().map(dispatch::waiting).collect()))
}

/// Show how giving out tasks stands
#[utoipa::path(get, path = "/system/dispatch", tag = "system", operation_id = "get_dispatch",
    responses((status = 200, body = Dispatch)))]
async fn show(State(app): State<App>, _: Caller) -> Result<Json<Dispatch>, Failure> {
    Ok(Json(dispatch::state(&app.engine.dispatch_state().await?)))
}

/// Pause giving out tasks as a whole
///
/// For admins. What runs goes on, and people may still claim. Pausing it again changes nothing.
#[utoipa::path(post, path = "/system/dispatch/pause", tag = "system", operation_id = "pause_dispatch",
    responses((status = 200, body = Dispatch)))]
async fn pause(State(app): State<App>, caller: Caller) -> Result<Json<Dispatch>, Failure> {
    set_paused(&app, caller, true).await
}

/// Resume giving out tasks
#[utoipa::path(post, path = "/system/dispatch/resume", tag = "system", operation_id = "resume_dispatch",
    responses((status = 200, body = Dispatch)))]
async fn resume(State(app): State<App>, caller: Caller) -> Result<Json<Dispatch>, Failure> {
    set_paused(&app, caller, false).await
}

async fn set_paused(app: &App, caller: Caller, pause: bool) -> Result<Json<Dispatch>, Failure> {
    caller.admin()?.writer()?;
    app.engine.pause_dispatch(caller.actor, pause).await?;
    Ok(Json(dispatch::state(&app.engine.dispatch_state().await?)))
}
