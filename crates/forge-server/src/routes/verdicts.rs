//! Deciding about attempts at gates: reviewers by their verdict (M-3), people by their word (M-4).

use axum::Json;
use axum::extract::State;
use forge_api::{ApproveReview, NewVerdict, RejectReview, Review, Reviewed};
use forge_domain::{Command, ExecutionId, TaskId};
use forge_store::tables::reviews;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::executions;
use super::missing::{Noun, missing};
use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Body, OptionalBody, Path};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(judge)).routes(routes!(approve)).routes(routes!(reject))
}

/// Says what the reviewer thinks, with the token of its run. The last word before the run ends counts, and it counts
/// before anything in its output.
#[utoipa::path(post, path = "/executions/{id}/verdict", tag = "reviews", operation_id = "give_verdict",
    params(("id" = Uuid, Path, description = "The reviewer's execution.")), request_body = NewVerdict,
    responses((status = 200, description = "The attempt that is judged.", body = Review)))]
async fn judge(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<NewVerdict>,
) -> Result<Json<Review>, Failure> {
    let execution = ExecutionId::new(id);
    let task = executions::found(&app, execution).await?.task_id;
    let command = Command::GiveVerdict { execution, verdict: convert::review::asked(asked) };
    let judged = app.engine.handle(caller.actor, task, command).await?;
    Ok(Json(attempt(&app, task, judged.attempts).await?))
}

/// Lets the last attempt pass: in the place of its reviewer, or, with a reason, against what the gate decided. It lands
/// like any other; what it lacks is a receipt.
#[utoipa::path(post, path = "/tasks/{id}/reviews/{attempt}/approve", tag = "reviews",
    operation_id = "approve_review",
    params(("id" = Uuid, Path, description = "The task."),
           ("attempt" = u32, Path, description = "The attempt's number.")),
    request_body = ApproveReview,
    responses((status = 200, description = "It has passed.", body = Reviewed)))]
async fn approve(
    State(app): State<App>,
    caller: Caller,
    Path((id, number)): Path<(Uuid, u32)>,
    OptionalBody(asked): OptionalBody<ApproveReview>,
) -> Result<Json<Reviewed>, Failure> {
    let command = Command::Approve { attempt: number, reason: asked.reason };
    decided(&app, caller, TaskId::new(id), number, command).await
}

/// Sends the work of the last attempt back; the coder is told why, and no attempt is spent.
#[utoipa::path(post, path = "/tasks/{id}/reviews/{attempt}/reject", tag = "reviews",
    operation_id = "reject_review",
    params(("id" = Uuid, Path, description = "The task."),
           ("attempt" = u32, Path, description = "The attempt's number.")),
    request_body = RejectReview,
    responses((status = 200, description = "It is sent back.", body = Reviewed)))]
async fn reject(
    State(app): State<App>,
    caller: Caller,
    Path((id, number)): Path<(Uuid, u32)>,
    Body(asked): Body<RejectReview>,
) -> Result<Json<Reviewed>, Failure> {
    let command = Command::Reject { attempt: number, reason: asked.reason };
    decided(&app, caller, TaskId::new(id), number, command).await
}

async fn decided(
    app: &App,
    caller: Caller,
    task: TaskId,
    number: u32,
    command: Command,
) -> Result<Json<Reviewed>, Failure> {
    app.engine.handle(caller.actor, task, command).await?;
    let settled = app.settled(task).await?;
    let review = attempt(app, task, number).await?;
    Ok(Json(Reviewed { task: convert::task::task(&settled), review }))
}

async fn attempt(app: &App, task: TaskId, number: u32) -> Result<Review, Failure> {
    let all = reviews::list_of_task(app.engine.db(), task).await?;
    let row = all.into_iter().find(|row| row.attempt == number);
    let row = row.ok_or_else(|| {
        missing(Noun::Review, number, "GET /tasks/{id}/reviews lists a task's attempts")
    })?;
    Ok(convert::review::review(row))
}
