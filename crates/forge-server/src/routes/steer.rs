//! Messages to agents at work (T-22).

use axum::Json;
use axum::extract::State;
use forge_api::{NewSteer, SteerDelivery, Steered};
use forge_domain::ExecutionId;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, Path};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(steer))
}

/// Says something to an agent at work.
///
/// Where its program can hear it the agent is told in the middle of its turn; else, or if it does not take the message
/// before its end, another turn with the message follows this one. Until then the task lists it in `messages`.
#[utoipa::path(post, path = "/executions/{id}/steer", tag = "executions", operation_id = "steer_execution",
    params(("id" = Uuid, Path, description = "The execution.")), request_body = NewSteer,
    responses((status = 202, description = "The message is on its way.", body = Steered)))]
async fn steer(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<NewSteer>,
) -> Result<(StatusCode, Json<Steered>), Failure> {
    let message = convert::text::free("message", asked.message)?;
    let task = app.engine.steer(caller.actor, ExecutionId::new(id), message).await?;
    let delivery = task.steers.last().map_or(SteerDelivery::NextTurn, convert::task::delivery);
    let task = convert::task::task(&task);
    Ok((StatusCode::ACCEPTED, Json(Steered { delivery, task })))
}
