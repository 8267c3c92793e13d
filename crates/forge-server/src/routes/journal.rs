//! The saved states of a task's workspace: list, compare, restore, fork (W-14).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{
    DiffFormat, ForkEntry, JournalDiff, JournalDiffQuery, JournalEntry, Page, PageQuery,
    RestoreEntry, Restored, Task,
};
use forge_domain::TaskId;
use forge_engine::{BranchPointer, DiffLimits};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::failure::Failure;
use crate::input::{OptionalBody, Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(diff))
        .routes(routes!(restore))
        .routes(routes!(fork))
}

/// The saved states of a task's workspace, newest first.
#[utoipa::path(get, path = "/tasks/{id}/journal", tag = "workspaces", operation_id = "list_journal",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<JournalEntry>)))]
async fn list(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<JournalEntry>>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let entries = app.engine.journal_entries(&task).await?;
    let newest_first = entries.iter().rev().map(convert::journal::entry);
    Ok(Json(paging::cut(newest_first.collect(), &query)?))
}

/// What an entry changed since the one before or since the task's beginning, or what has changed since.
#[utoipa::path(get, path = "/tasks/{id}/journal/{number}/diff", tag = "workspaces",
    operation_id = "get_journal_diff",
    params(("id" = Uuid, Path, description = "The task."),
           ("number" = u64, Path, description = "The entry."), JournalDiffQuery),
    responses((status = 200, description = "The changes, in the form that was asked for.",
               content((JournalDiff = "application/json"), (String = "text/x-diff")))))]
async fn diff(
    State(app): State<App>,
    Path((id, number)): Path<(Uuid, u64)>,
    Query(query): Query<JournalDiffQuery>,
) -> Result<Response, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let with = convert::journal::compared(query.against);
    let found = app.engine.journal_diff(&task, number, with, DiffLimits::default()).await?;
    Ok(match query.format {
        DiffFormat::Json => {
            Json(convert::journal::diff(number, query.against, found)).into_response()
        }
        DiffFormat::Patch => {
            let kind = HeaderValue::from_static("text/x-diff; charset=utf-8");
            ([(CONTENT_TYPE, kind)], found.diff.to_patch()).into_response()
        }
    })
}

/// Makes the workspace's files those of an entry; what is there now becomes an entry first. Refused while somebody
/// works there.
#[utoipa::path(post, path = "/tasks/{id}/journal/{number}/restore", tag = "workspaces",
    operation_id = "restore_journal_entry",
    params(("id" = Uuid, Path, description = "The task."),
           ("number" = u64, Path, description = "The entry.")),
    request_body = Option<RestoreEntry>,
    responses((status = 200, description = "It has the files.", body = Restored)))]
async fn restore(
    State(app): State<App>,
    caller: Caller,
    Path((id, number)): Path<(Uuid, u64)>,
    OptionalBody(asked): OptionalBody<RestoreEntry>,
) -> Result<Json<Restored>, Failure> {
    let pointer = if asked.move_branch { BranchPointer::Follows } else { BranchPointer::Stays };
    // Who hangs up in the middle must not leave half of the files: it goes on without them.
    let engine = app.engine.clone();
    let restoring = app.background.spawn(async move {
        engine.restore_entry(caller.actor, TaskId::new(id), number, pointer).await
    });
    let saved = match restoring.await {
        Ok(saved) => saved?,
        Err(error) => return Err(crate::refusal::internal(&error.to_string())),
    };
    Ok(Json(Restored { number, saved: saved.as_ref().map(convert::journal::entry) }))
}

/// Makes a task whose workspace begins with an entry's files.
#[utoipa::path(post, path = "/tasks/{id}/journal/{number}/fork", tag = "workspaces",
    operation_id = "fork_journal_entry",
    params(("id" = Uuid, Path, description = "The task."),
           ("number" = u64, Path, description = "The entry.")),
    request_body = Option<ForkEntry>,
    responses((status = 201, description = "The new task.", body = Task)))]
async fn fork(
    State(app): State<App>,
    caller: Caller,
    Path((id, number)): Path<(Uuid, u64)>,
    OptionalBody(asked): OptionalBody<ForkEntry>,
) -> Result<(StatusCode, Json<Task>), Failure> {
    let (task, title) = (TaskId::new(id), asked.title);
    let made = app.engine.fork_entry(caller.actor, task, number, title).await?;
    Ok((StatusCode::CREATED, Json(convert::task::task(&made))))
}
