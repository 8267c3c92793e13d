//! Routes for the journal of a task's workspace: list, compare, restore, fork (W-14).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{
    DiffFormat, ForkEntry, JournalDiff, JournalDiffQuery, JournalEntry, Page, PageQuery,
    RestoreEntry, RestoreResponse, Task, actions,
};
use forge_domain::TaskId;
use forge_engine::{BranchOnRestore, DiffLimits};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{OptionalJsonBody, Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_JOURNAL => list,
        GET_JOURNAL_DIFF => diff,
        RESTORE_JOURNAL_ENTRY => restore,
        FORK_JOURNAL_ENTRY => fork,
    ]
}

/// List the journal entries of a task's workspace
///
/// Newest first.
#[utoipa::path(get, path = actions::LIST_JOURNAL.path, tag = "workspaces",
    params(("id" = Uuid, Path, description = "The task."), PageQuery),
    responses((status = 200, description = "One page.", body = Page<JournalEntry>)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<JournalEntry>>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let entries = app.engine.journals().journal_entries(&task).await?;
    let newest_first = entries.iter().rev().map(convert::workspaces::journal::entry);
    Ok(Json(paging::page_of_list(newest_first.collect(), &query)?))
}

/// Compare a journal entry
///
/// With the previous entry, with the start of the task, or with the current files.
#[utoipa::path(get, path = actions::GET_JOURNAL_DIFF.path, tag = "workspaces",
    params(("id" = Uuid, Path, description = "The task."),
           ("number" = u64, Path, description = "The entry."), JournalDiffQuery),
    responses((status = 200, description = "The changes, in the requested format.",
               content((JournalDiff = "application/json"), (String = "text/x-diff")))))]
async fn diff(
    State(app): State<AppState>,
    Path((id, number)): Path<(Uuid, u64)>,
    Query(query): Query<JournalDiffQuery>,
) -> Result<Response, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let with = convert::workspaces::journal::comparison(query.against);
    let found =
        app.engine.journals().journal_diff(&task, number, with, DiffLimits::default()).await?;
    Ok(match query.format {
        DiffFormat::Json => {
            Json(convert::workspaces::journal::diff(number, query.against, found)).into_response()
        }
        DiffFormat::Patch => {
            let kind = HeaderValue::from_static("text/x-diff; charset=utf-8");
            ([(CONTENT_TYPE, kind)], found.diff.to_patch()).into_response()
        }
    })
}

/// Restore the workspace's files from a journal entry
///
/// The current files become an entry first. Work that landed since the entry stays: on another base the entry's
/// change is merged in, and the answer names conflicts. Refused while an execution or a user works in the workspace.
#[utoipa::path(post, path = actions::RESTORE_JOURNAL_ENTRY.path, tag = "workspaces",
    params(("id" = Uuid, Path, description = "The task."),
           ("number" = u64, Path, description = "The entry.")),
    request_body = Option<RestoreEntry>,
    responses((status = 200, description = "The workspace has the files of the entry.", body = RestoreResponse)))]
async fn restore(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, number)): Path<(Uuid, u64)>,
    OptionalJsonBody(asked): OptionalJsonBody<RestoreEntry>,
) -> Result<Json<RestoreResponse>, ApiError> {
    let pointer =
        if asked.move_branch { BranchOnRestore::MoveToEntry } else { BranchOnRestore::Keep };
    // A client that disconnects must not leave half of the files: the restore continues without it.
    let engine = app.engine.clone();
    let restoring = app.background.spawn(async move {
        engine
            .journal_restores()
            .restore_entry(caller.actor, TaskId::new(id), number, pointer)
            .await
    });
    let done = match restoring.await {
        Ok(done) => done?,
        Err(error) => return Err(crate::error::engine_error::internal_error(&error.to_string())),
    };
    let saved = done.saved.as_ref().map(convert::workspaces::journal::entry);
    Ok(Json(RestoreResponse { number, saved, conflicts: done.conflicts }))
}

/// Create a task whose workspace starts with an entry's files
#[utoipa::path(post, path = actions::FORK_JOURNAL_ENTRY.path, tag = "workspaces",
    params(("id" = Uuid, Path, description = "The task."),
           ("number" = u64, Path, description = "The entry.")),
    request_body = Option<ForkEntry>,
    responses((status = 201, description = "The new task.", body = Task)))]
async fn fork(
    State(app): State<AppState>,
    caller: Caller,
    Path((id, number)): Path<(Uuid, u64)>,
    OptionalJsonBody(asked): OptionalJsonBody<ForkEntry>,
) -> Result<(StatusCode, Json<Task>), ApiError> {
    let (task, title) = (TaskId::new(id), asked.title);
    let made = app.engine.journal_restores().fork_entry(caller.actor, task, number, title).await?;
    Ok((StatusCode::CREATED, Json(convert::tasks::task::task(&made))))
}
