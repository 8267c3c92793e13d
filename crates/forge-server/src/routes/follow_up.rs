//! Another message for an agent that has ended its turn (E-7).

use axum::Json;
use axum::extract::State;
use forge_api::{Claimed, NewFollowUp};
use forge_domain::ExecutionId;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::executions;
use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, Path};
use crate::refusal::internal;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(follow_up))
}

/// Goes on with the conversation of a run that is over, in the same workspace.
///
/// The task must rest, its agent must still hold the role, and the task must be where that role works or be movable
/// there.
#[utoipa::path(post, path = "/executions/{id}/follow-up", tag = "executions", operation_id = "follow_up",
    params(("id" = Uuid, Path, description = "The execution.")), request_body = NewFollowUp,
    responses((status = 202, description = "The new run is under way.", body = Claimed)))]
async fn follow_up(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<NewFollowUp>,
) -> Result<(StatusCode, Json<Claimed>), Failure> {
    let message = convert::text::free("message", asked.message)?;
    let task = app.engine.follow_up(caller.actor, ExecutionId::new(id), message).await?;
    let Some(execution) = task.run.as_ref().map(|run| run.execution) else {
        return Err(internal(&format!("the follow-up of {id} opened no execution")));
    };
    let execution = executions::of_task(&app, &task, execution).await?;
    Ok((StatusCode::ACCEPTED, Json(Claimed { task: convert::task::task(&task), execution })))
}
