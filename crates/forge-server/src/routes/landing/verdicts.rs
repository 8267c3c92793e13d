//! Routes to decide about attempts at gates: verdicts of reviewers (M-3), decisions of people (M-4).

use axum::Json;
use axum::extract::State;
use forge_api::{ApproveReview, NewVerdict, RejectReview, Review, ReviewResponse, actions};
use forge_domain::{ExecutionId, TaskCommand, TaskId};
use forge_store::tables::reviews;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::{JsonBody, OptionalJsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::execution::executions;
use crate::routes::missing_resource::{MissingResource, missing};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        GIVE_VERDICT => judge,
        APPROVE_REVIEW => approve,
        REJECT_REVIEW => reject,
    ]
}

/// Give the verdict of a reviewing execution
///
/// Sent with the token of the execution. The last verdict before the end of the execution counts, and it takes
/// precedence over its output.
#[utoipa::path(post, path = actions::GIVE_VERDICT.path, tag = "reviews",
    params(("id" = Uuid, Path, description = "The reviewer's execution.")), request_body = NewVerdict,
    responses((status = 200, description = "The reviewed attempt.", body = Review)))]
async fn judge(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<NewVerdict>,
) -> Result<Json<Review>, ApiError> {
    let execution = ExecutionId::new(id);
    let task = executions::load_execution(&app, execution).await?.task_id;
    let command = TaskCommand::GiveVerdict {
        execution,
        verdict: convert::landing::review::domain_verdict(asked),
    };
    let judged = app.engine.commands().handle(caller.actor, task, command).await?;
    Ok(Json(attempt(&app, task, judged.attempts).await?))
}

/// Approve the last attempt at a gate
///
/// In place of its reviewer, or, with a reason, against the gate's decision. The task lands like any other, but has
/// no receipt.
#[utoipa::path(post, path = actions::APPROVE_REVIEW.path, tag = "reviews",
    params(("id" = Uuid, Path, description = "The task."),
           ("attempt" = u32, Path, description = "The attempt's number.")),
    request_body = ApproveReview,
    responses((status = 200, description = "The attempt was approved.", body = ReviewResponse)))]
async fn approve(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, number)): Path<(Uuid, u32)>,
    OptionalJsonBody(asked): OptionalJsonBody<ApproveReview>,
) -> Result<Json<ReviewResponse>, ApiError> {
    let command = TaskCommand::Approve { attempt: number, reason: asked.reason };
    decided(&app, caller, TaskId::new(id), number, command).await
}

/// Reject the last attempt at a gate
///
/// Sends the work back; the coder's prompt contains the reason, and the attempt does not count.
#[utoipa::path(post, path = actions::REJECT_REVIEW.path, tag = "reviews",
    params(("id" = Uuid, Path, description = "The task."),
           ("attempt" = u32, Path, description = "The attempt's number.")),
    request_body = RejectReview,
    responses((status = 200, description = "The attempt was rejected.", body = ReviewResponse)))]
async fn reject(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, number)): Path<(Uuid, u32)>,
    JsonBody(asked): JsonBody<RejectReview>,
) -> Result<Json<ReviewResponse>, ApiError> {
    let command = TaskCommand::Reject { attempt: number, reason: asked.reason };
    decided(&app, caller, TaskId::new(id), number, command).await
}

async fn decided(
    app: &AppState,
    caller: Caller,
    task: TaskId,
    number: u32,
    command: TaskCommand,
) -> Result<Json<ReviewResponse>, ApiError> {
    app.engine.commands().handle(caller.actor, task, command).await?;
    let settled = app.wait_until_settled(task).await?;
    let review = attempt(app, task, number).await?;
    Ok(Json(ReviewResponse { task: convert::tasks::task::task(&settled), review }))
}

async fn attempt(app: &AppState, task: TaskId, number: u32) -> Result<Review, ApiError> {
    let all = reviews::list_of_task(app.engine.db(), task).await?;
    let row = all.into_iter().find(|row| row.attempt == number);
    let row = row.ok_or_else(|| {
        missing(MissingResource::Review, number, "look at the list of the task's attempts")
    })?;
    Ok(convert::landing::review::review(row))
}
