//! The route to continue an execution that has ended (E-7).

use axum::Json;
use axum::extract::State;
use forge_api::{ClaimResponse, NewFollowUp, actions};
use forge_domain::ExecutionId;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;
use crate::input::{JsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::execution::executions;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        FOLLOW_UP => follow_up,
    ]
}

/// Continue an execution that has ended
///
/// Continues its conversation in the same workspace. No work may be running for the task, its agent must still hold
/// the role, and the task must be in a state in which that role works, or be movable to one.
#[utoipa::path(post, path = actions::FOLLOW_UP.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The execution.")), request_body = NewFollowUp,
    responses((status = 202, description = "The new execution was started.", body = ClaimResponse)))]
async fn follow_up(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewFollowUp>,
) -> Result<(StatusCode, Json<ClaimResponse>), ApiError> {
    let message = convert::text::check_text("message", asked.message)?;
    let task =
        app.engine.agent_messages().follow_up(caller.actor, ExecutionId::new(id), message).await?;
    let Some(execution) = task.run.as_ref().map(|run| run.execution) else {
        return Err(internal_error(&format!("the follow-up of {id} created no execution")));
    };
    let execution = executions::task_execution(&app, &task, execution).await?;
    Ok((
        StatusCode::ACCEPTED,
        Json(ClaimResponse { task: convert::tasks::task::task(&task), execution }),
    ))
}
