//! Rebase (M-9), revert, regression and acceptance of landed work.

use axum::Json;
use axum::extract::State;
use forge_api::{
    AcceptLanded, NewRegression, RebaseTask, RebasedTask, SuccessorTask, Task, actions,
};
use forge_domain::task::TaskActivity;
use forge_domain::{TaskCommand, TaskId};
use forge_engine::SuccessorOutcome;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::{JsonBody, OptionalJsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        REBASE_TASK => rebase,
        REVERT_TASK => revert,
        REPORT_REGRESSION => regressed,
        ACCEPT_LANDED_TASK => accept_landed,
    ]
}

/// Merge the target into a task's branch
///
/// Forge merges in the task's workspace and sends the task back to work. A conflict stays in the files with git's
/// conflict markers, and the next prompt names the files. Uncommitted work is committed first, and is also saved in
/// the journal.
#[utoipa::path(post, path = actions::REBASE_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")), request_body = RebaseTask,
    responses((status = 200, description = "The target was merged, or the files contain conflict markers.", body = RebasedTask)))]
async fn rebase(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalJsonBody(asked): OptionalJsonBody<RebaseTask>,
) -> Result<Json<RebasedTask>, ApiError> {
    let task = TaskId::new(id);
    let message =
        asked.message.map(|text| convert::text::check_text("message", text)).transpose()?;
    app.engine.post_landing().rebase(caller.actor, task, message).await?;
    let met = app.wait_for_task(task, |task| task.activity != Some(TaskActivity::Rebasing)).await?;
    let rebase = convert::landing::post_landing::rebase(&met);
    Ok(Json(RebasedTask { task: convert::tasks::task::task(&met), rebase }))
}

/// Create a task that reverts a landed task
///
/// Its branch contains the inverse of what the task landed, and it starts at the gate. If later work conflicts, its
/// workspace contains both sides. A repeated request returns the same task.
#[utoipa::path(post, path = actions::REVERT_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The existing task that reverts it.", body = SuccessorTask),
              (status = 201, description = "The new task that reverts it.", body = SuccessorTask)))]
async fn revert(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<(StatusCode, Json<SuccessorTask>), ApiError> {
    let found = app.engine.post_landing().revert(caller.actor, TaskId::new(id)).await?;
    let reverting = Some(TaskActivity::Reverting);
    let task = app.wait_for_task(found.task.id, |task| task.activity != reverting).await?;
    Ok(answer(&SuccessorOutcome { task, ..found }))
}

/// Report that a landed task broke something
///
/// Creates the task that fixes it. A repeated request returns the same task.
#[utoipa::path(post, path = actions::REPORT_REGRESSION.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")), request_body = NewRegression,
    responses((status = 200, description = "The existing task that fixes it.", body = SuccessorTask),
              (status = 201, description = "The new task that fixes it.", body = SuccessorTask)))]
async fn regressed(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewRegression>,
) -> Result<(StatusCode, Json<SuccessorTask>), ApiError> {
    let reason = convert::text::check_text("reason", asked.reason)?;
    let found = app.engine.post_landing().regress(caller.actor, TaskId::new(id), reason).await?;
    Ok(answer(&found))
}

/// Accept work that landed outside Forge
///
/// For work that is on its target without a recorded landing (`landed_outside`); the task ends as if Forge had landed
/// it. To undo the work instead, revert the task.
#[utoipa::path(post, path = actions::ACCEPT_LANDED_TASK.path, tag = "tasks",
    params(("id" = Uuid, Path, description = "The task.")), request_body = AcceptLanded,
    responses((status = 200, description = "The task.", body = Task)))]
async fn accept_landed(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    OptionalJsonBody(asked): OptionalJsonBody<AcceptLanded>,
) -> Result<Json<Task>, ApiError> {
    let task = TaskId::new(id);
    let reason = asked.reason.map(|text| convert::text::check_text("reason", text)).transpose()?;
    app.engine.commands().handle(caller.actor, task, TaskCommand::AcceptLanded { reason }).await?;
    Ok(Json(convert::tasks::task::task(&app.wait_until_settled(task).await?)))
}

fn answer(found: &SuccessorOutcome) -> (StatusCode, Json<SuccessorTask>) {
    let status = if found.is_new { StatusCode::CREATED } else { StatusCode::OK };
    (status, Json(convert::landing::post_landing::successor_task(found)))
}
