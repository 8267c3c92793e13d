//! What people do about a branch that does not fit (M-9), and about work that has landed.

use axum::Json;
use axum::extract::State;
use forge_api::{NewRegression, RebaseTask, RebasedTask, SuccessorTask};
use forge_domain::TaskId;
use forge_domain::task::Activity;
use forge_engine::Successor;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, OptionalBody, Path};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(rebase)).routes(routes!(revert)).routes(routes!(regressed))
}

/// Merges the target into the task's branch, in its workspace, and sends the task back to work. A conflict is left in
/// the files, with git's marks; the next prompt names them. What was not committed is, and is in the journal too.
#[utoipa::path(post, path = "/tasks/{id}/rebase", tag = "tasks", operation_id = "rebase_task",
    params(("id" = Uuid, Path, description = "The task.")), request_body = RebaseTask,
    responses((status = 200, description = "The target is merged in, or both sides are in the files.", body = RebasedTask)))]
async fn rebase(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalBody(asked): OptionalBody<RebaseTask>,
) -> Result<Json<RebasedTask>, Failure> {
    let task = TaskId::new(id);
    let message = asked.message.map(|text| convert::text::free("message", text)).transpose()?;
    app.engine.rebase(caller.actor, task, message).await?;
    let met = app.reached(task, |task| task.activity != Some(Activity::Rebasing)).await?;
    let rebase = convert::aftermath::rebase(&met);
    Ok(Json(RebasedTask { task: convert::task::task(&met), rebase }))
}

/// Makes a task that takes back what this one landed; its branch holds the inverse, and it begins at the gate. Where
/// later work stands in the way, both sides are in its workspace. Asked again, it names the same task.
#[utoipa::path(post, path = "/tasks/{id}/revert", tag = "tasks", operation_id = "revert_task",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The task that does it already.", body = SuccessorTask),
              (status = 201, description = "The task that does it.", body = SuccessorTask)))]
async fn revert(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<(StatusCode, Json<SuccessorTask>), Failure> {
    let found = app.engine.revert(caller.actor, TaskId::new(id)).await?;
    let reverting = Some(Activity::Reverting);
    let task = app.reached(found.task.id, |task| task.activity != reverting).await?;
    Ok(answer(&Successor { task, ..found }))
}

/// Says that what the task landed broke something; makes the task that mends it. Asked again, it names the same task.
#[utoipa::path(post, path = "/tasks/{id}/regressed", tag = "tasks", operation_id = "report_regression",
    params(("id" = Uuid, Path, description = "The task.")), request_body = NewRegression,
    responses((status = 200, description = "The task that mends it already.", body = SuccessorTask),
              (status = 201, description = "The task that mends it.", body = SuccessorTask)))]
async fn regressed(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<NewRegression>,
) -> Result<(StatusCode, Json<SuccessorTask>), Failure> {
    let reason = convert::text::free("reason", asked.reason)?;
    let found = app.engine.regress(caller.actor, TaskId::new(id), reason).await?;
    Ok(answer(&found))
}

fn answer(found: &Successor) -> (StatusCode, Json<SuccessorTask>) {
    let status = if found.made { StatusCode::CREATED } else { StatusCode::OK };
    (status, Json(convert::aftermath::successor(found)))
}
