//! Where a task's executions run, and what they changed (W-16).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{
    Diff, DiffFormat, DiffNews, DiffQuery, DiffStreamQuery, Page, PageQuery, Workspace,
};
use forge_domain::TaskId;
use forge_engine::{DiffFollower, DiffLimits};
use forge_store::tables::tasks::{WORKSPACE_ORDER, list_with_workspace};
use futures::{StreamExt, stream};
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use serde_json::json;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert;
use crate::events::{chunk_stream, encode_plain};
use crate::failure::Failure;
use crate::input::{Path, Query};
use crate::paging;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
        .routes(routes!(diff))
        .routes(routes!(follow))
}

/// The workspaces on disk, by directory, each as it stands. What did not change since it was last looked at costs
/// no git process.
#[utoipa::path(get, path = "/workspaces", tag = "workspaces", operation_id = "list_workspaces",
    params(PageQuery), responses((status = 200, description = "One page.", body = Page<Workspace>)))]
async fn list(
    State(app): State<App>,
    caller: Caller,
    Query(query): Query<PageQuery>,
) -> Result<Json<Page<Workspace>>, Failure> {
    let page = paging::asked(WORKSPACE_ORDER, query.limit, query.cursor.as_deref())?;
    let (tasks, next) = list_with_workspace(app.engine.db(), caller.confined(), &page).await?;
    let summaries = app.engine.workspace_summaries(&tasks).await;
    let mut items = Vec::with_capacity(tasks.len());
    for (task, summary) in tasks.iter().zip(summaries) {
        let Some(recorded) = &task.workspace else { continue };
        let held = app.engine.workspace_holder(recorded);
        items.push(match summary {
            Ok(summary) => convert::workspace::workspace(task, summary, held),
            Err(error) => convert::workspace::unreadable(task, recorded, &error, held),
        });
    }
    Ok(Json(Page { items, next_cursor: next.map(|cursor| cursor.encode()) }))
}

/// A task's workspace: where it is, how far from its target, what is not committed, who works there.
#[utoipa::path(get, path = "/tasks/{id}/workspace", tag = "workspaces", operation_id = "get_workspace",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The workspace.", body = Workspace)))]
async fn show(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Json<Workspace>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let summary = app.engine.workspace_summary(&task).await?;
    let held = app.engine.workspace_holder(&summary.recorded);
    Ok(Json(convert::workspace::workspace(&task, summary, held)))
}

/// What the task changed. Binary and huge files are named, not shown. Once the workspace is gone: what landed, or what
/// is left on the branch.
#[utoipa::path(get, path = "/tasks/{id}/diff", tag = "workspaces", operation_id = "get_diff",
    params(("id" = Uuid, Path, description = "The task."), DiffQuery),
    responses((status = 200, description = "The changes, in the form that was asked for.",
               content((Diff = "application/json"), (String = "text/x-diff")))))]
async fn diff(
    State(app): State<App>,
    Path(id): Path<Uuid>,
    Query(query): Query<DiffQuery>,
) -> Result<Response, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let scope = convert::diff::asked_scope(query.scope);
    let found = app.engine.diff(&task, scope, DiffLimits::default()).await?;
    Ok(match query.format {
        DiffFormat::Json => Json(convert::diff::diff(query.scope, found)).into_response(),
        DiffFormat::Patch => {
            let kind = HeaderValue::from_static("text/x-diff; charset=utf-8");
            ([(CONTENT_TYPE, kind)], found.diff.to_patch()).into_response()
        }
    })
}

/// Follow what the task changes
///
/// Server-sent events: a `diff` whose data is a `DiffNews` at once and then whenever the changes are others, and an
/// `end` when the workspace is gone. A file that is written is told of within a moment.
#[utoipa::path(get, path = "/tasks/{id}/diff/stream", tag = "workspaces", operation_id = "stream_diff",
    params(("id" = Uuid, Path, description = "The task."), DiffStreamQuery),
    responses((status = 200, description = "Changes, for as long as the client listens",
               body = DiffNews, content_type = "text/event-stream")))]
async fn follow(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Query(query): Query<DiffStreamQuery>,
) -> Result<Response, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let scope = convert::diff::asked_scope(query.scope);
    // What cannot be compared at all is answered as such, not by a stream that ends.
    app.engine.diff(&task, scope, DiffLimits::default()).await?;
    let ended = app.credentials.ended(caller.credential.clone());
    let stop = app.stop.clone();
    let follower = app.engine.follow_diff(task.id, scope);
    let news = stream::unfold(Some((app, caller, follower)), move |state| async move {
        let (app, caller, mut follower): (App, Caller, DiffFollower) = state?;
        let news = follower.next().await;
        // Who is no member any more must not go on listening.
        let allowed = caller.require_tasks(&app, [TaskId::new(id)]).await.is_ok();
        match news.filter(|_| allowed) {
            Some(news) => {
                let data = json!(convert::diff::news(query.scope, news));
                Some((encode_plain("diff", &data), Some((app, caller, follower))))
            }
            None => Some((encode_plain("end", &json!({})), None)),
        }
    });
    Ok(chunk_stream(None, news.take_until(ended), stop))
}
