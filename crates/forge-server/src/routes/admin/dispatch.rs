//! Routes for automatic dispatch, and why a task waits (E-10, E-11).

use axum::Json;
use axum::extract::State;
use forge_api::{DispatchStatus, TaskWaiting, actions};
use forge_domain::{ProjectId, TaskId};
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert::admin::dispatch;
use crate::error::api_error::ApiError;
use crate::input::Path;
use crate::routes::action_route::{ActionRoute, action_routes};

/// As many as a board shows at once.
const MOST_WAITING: u32 = 200;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        WHY_TASK_WAITS => why,
        LIST_WAITING => waiting,
        GET_DISPATCH => show,
        PAUSE_DISPATCH => pause,
        RESUME_DISPATCH => resume,
    ]
}

/// Show what a task waits for
///
/// Works in every state: what has to act before the task continues, why, and what the caller can do next. `reasons`
/// lists what keeps a queued task from being assigned to an agent.
#[utoipa::path(get, path = actions::WHY_TASK_WAITS.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, body = TaskWaiting)))]
async fn why(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<TaskWaiting>, ApiError> {
    let waiting = app.engine.dispatch().explain_wait(TaskId::new(id)).await?;
    let next = app.engine.dispatch().next_steps(&caller.actor, &waiting).await?;
    Ok(Json(dispatch::task_waiting(&waiting, &next)))
}

/// List the tasks that wait for an agent
///
/// The first two hundred in the order of dispatch, each with the reasons that keep it.
#[utoipa::path(get, path = actions::LIST_WAITING.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<TaskWaiting>)))]
async fn waiting(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Vec<TaskWaiting>>, ApiError> {
    let mut listed = Vec::new();
    for waiting in
        app.engine.dispatch().list_waiting_tasks(ProjectId::new(id), MOST_WAITING).await?
    {
        let next = app.engine.dispatch().next_steps(&caller.actor, &waiting).await?;
        listed.push(dispatch::task_waiting(&waiting, &next));
    }
    Ok(Json(listed))
}

/// Show the state of dispatch
#[utoipa::path(get, path = actions::GET_DISPATCH.path, tag = "system",
    responses((status = 200, body = DispatchStatus)))]
async fn show(State(app): State<AppState>, _: Caller) -> Result<Json<DispatchStatus>, ApiError> {
    Ok(Json(dispatch::dispatch_status(&app.engine.dispatch().dispatch_state().await?)))
}

/// Pause dispatch on the server
///
/// For admins. Running executions continue, and people may still claim. Pausing it again changes nothing.
#[utoipa::path(post, path = actions::PAUSE_DISPATCH.path, tag = "system",
    responses((status = 200, body = DispatchStatus)))]
async fn pause(
    State(app): State<AppState>,
    caller: Caller,
) -> Result<Json<DispatchStatus>, ApiError> {
    set_paused(&app, caller, true).await
}

/// Resume dispatch on the server
#[utoipa::path(post, path = actions::RESUME_DISPATCH.path, tag = "system",
    responses((status = 200, body = DispatchStatus)))]
async fn resume(
    State(app): State<AppState>,
    caller: Caller,
) -> Result<Json<DispatchStatus>, ApiError> {
    set_paused(&app, caller, false).await
}

async fn set_paused(
    app: &AppState,
    caller: Caller,
    pause: bool,
) -> Result<Json<DispatchStatus>, ApiError> {
    app.engine.dispatch().pause_dispatch(caller.actor, pause).await?;
    Ok(Json(dispatch::dispatch_status(&app.engine.dispatch().dispatch_state().await?)))
}
