//! Routes for workspaces and diffs (W-16).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{
    DiffEvent, DiffFormat, DiffQuery, DiffStreamQuery, DiffView, Page, PageQuery, WorkspaceView,
    actions,
};
use forge_domain::TaskId;
use forge_engine::{DiffLimits, TaskDiffFollower};
use forge_store::tables::tasks::{WORKSPACE_ORDER, list_with_workspace};
use futures::{StreamExt, stream};
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use serde_json::json;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::paging;
use crate::input::{Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::stream::sse::{encode_plain, encoded_stream};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_WORKSPACES => list,
        GET_WORKSPACE => show,
        GET_DIFF => diff,
        STREAM_DIFF => follow,
    ]
}

/// List the workspaces on disk
///
/// Ordered by directory. A workspace that has not changed since the last look costs no git process.
#[utoipa::path(get, path = actions::LIST_WORKSPACES.path, tag = "workspaces",
    params(PageQuery), responses((status = 200, description = "One page.", body = Page<WorkspaceView>)))]
async fn list(
    State(app): State<AppState>,
    caller: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<WorkspaceView>>, ApiError> {
    let page = paging::page_request(WORKSPACE_ORDER, query.limit, query.cursor.as_deref())?;
    let (tasks, next) =
        list_with_workspace(app.engine.db(), caller.membership_filter(), &page).await?;
    let summaries = app.engine.workspace_views().workspace_summaries(&tasks).await;
    let mut items = Vec::with_capacity(tasks.len());
    for (task, summary) in tasks.iter().zip(summaries) {
        let Some(recorded) = &task.workspace else { continue };
        let held = app.engine.workspace_views().workspace_holder(recorded);
        items.push(match summary {
            Ok(summary) => convert::workspaces::workspace::workspace(task, summary, held),
            Err(error) => convert::workspaces::workspace::unreadable(task, recorded, &error, held),
        });
    }
    Ok(Json(Page { items, next_cursor: next.map(|cursor| cursor.encode()) }))
}

/// Show a task's workspace
///
/// Its directory, distance from its target, uncommitted changes and lock.
#[utoipa::path(get, path = actions::GET_WORKSPACE.path, tag = "workspaces",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The workspace.", body = WorkspaceView)))]
async fn show(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<WorkspaceView>, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let summary = app.engine.workspace_views().workspace_summary(&task).await?;
    let held = app.engine.workspace_views().workspace_holder(&summary.recorded);
    Ok(Json(convert::workspaces::workspace::workspace(&task, summary, held)))
}

/// Show the changes of a task
///
/// Binary and huge files are named, not shown. After the workspace is removed: what landed, or what is left on the
/// branch.
#[utoipa::path(get, path = actions::GET_DIFF.path, tag = "workspaces",
    params(("id" = Uuid, Path, description = "The task."), DiffQuery),
    responses((status = 200, description = "The changes, in the requested format.",
               content((DiffView = "application/json"), (String = "text/x-diff")))))]
async fn diff(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<DiffQuery>,
) -> Result<Response, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let scope = convert::workspaces::diff::engine_scope(query.scope);
    let found = app.engine.workspace_views().diff(&task, scope, DiffLimits::default()).await?;
    Ok(match query.format {
        DiffFormat::Json => {
            Json(convert::workspaces::diff::diff(query.scope, found)).into_response()
        }
        DiffFormat::Patch => {
            let kind = HeaderValue::from_static("text/x-diff; charset=utf-8");
            ([(CONTENT_TYPE, kind)], found.diff.to_patch()).into_response()
        }
    })
}

/// Stream the changes of a task
///
/// Server-sent events: a `diff` whose data is a `DiffEvent`, at once and then whenever the changes differ, and an
/// `end` when the workspace is removed. A written file is reported within a moment.
#[utoipa::path(get, path = actions::STREAM_DIFF.path, tag = "workspaces",
    params(("id" = Uuid, Path, description = "The task."), DiffStreamQuery),
    responses((status = 200, description = "Changes, until the client disconnects",
               body = DiffEvent, content_type = "text/event-stream")))]
async fn follow(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Query(query): Query<DiffStreamQuery>,
) -> Result<Response, ApiError> {
    let task = app.engine.records().task(TaskId::new(id)).await?;
    let scope = convert::workspaces::diff::engine_scope(query.scope);
    // If no comparison is possible, answer with an error instead of a stream that ends.
    app.engine.workspace_views().diff(&task, scope, DiffLimits::default()).await?;
    let ended = app.credentials.wait_until_ended(caller.credential.clone());
    let stop = app.stop.clone();
    let follower = app.engine.workspace_views().follow_diff(task.id, scope);
    let news = stream::unfold(Some((app, caller, follower)), move |state| async move {
        let (app, caller, mut follower): (AppState, Caller, TaskDiffFollower) = state?;
        let news = follower.next().await;
        // A former member must not continue to listen.
        let allowed = caller.require_tasks(&app, [TaskId::new(id)]).await.is_ok();
        match news.filter(|_| allowed) {
            Some(news) => {
                let data = json!(convert::workspaces::diff::diff_event(query.scope, news));
                Some((encode_plain("diff", &data), Some((app, caller, follower))))
            }
            None => Some((encode_plain("end", &json!({})), None)),
        }
    });
    Ok(encoded_stream(None, news.take_until(ended), stop))
}
