//! The route to send a message to a running agent (T-22).

use axum::Json;
use axum::extract::State;
use forge_api::{NewSteer, SteerDelivery, SteerResponse, actions};
use forge_domain::ExecutionId;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::{JsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        STEER_EXECUTION => steer,
    ]
}

/// Send a message to a running agent
///
/// If its program supports it, the agent gets the message during its execution. Otherwise, or if the agent does not
/// read it before its end, another execution with the message follows. Until then the task lists it in `messages`.
#[utoipa::path(post, path = actions::STEER_EXECUTION.path, tag = "executions",
    params(("id" = Uuid, Path, description = "The execution.")), request_body = NewSteer,
    responses((status = 202, description = "The message was accepted.", body = SteerResponse)))]
async fn steer(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewSteer>,
) -> Result<(StatusCode, Json<SteerResponse>), ApiError> {
    let message = convert::text::check_text("message", asked.message)?;
    let task =
        app.engine.agent_messages().steer(caller.actor, ExecutionId::new(id), message).await?;
    let delivery =
        task.steers.last().map_or(SteerDelivery::NextTurn, convert::tasks::task::delivery);
    let task = convert::tasks::task::task(&task);
    Ok((StatusCode::ACCEPTED, Json(SteerResponse { delivery, task })))
}
