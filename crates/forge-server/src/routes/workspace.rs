//! Where a task's executions run, and what they changed (W-16).

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use forge_api::{Diff, DiffFormat, DiffQuery, Workspace};
use forge_domain::TaskId;
use forge_engine::DiffLimits;
use forge_store::tables::executions;
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::convert;
use crate::failure::Failure;
use crate::input::{Path, Query};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show)).routes(routes!(diff))
}

/// A task's workspace: where it is, how far from its target, what is not committed, who works there.
#[utoipa::path(get, path = "/tasks/{id}/workspace", tag = "workspaces", operation_id = "get_workspace",
    params(("id" = Uuid, Path, description = "The task.")),
    responses((status = 200, description = "The workspace.", body = Workspace)))]
async fn show(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Json<Workspace>, Failure> {
    let task = app.engine.task(TaskId::new(id)).await?;
    let summary = app.engine.workspace_summary(&task).await?;
    let run = match &task.run {
        Some(run) => executions::load(app.engine.db(), run.execution).await?,
        None => None,
    };
    let node = app.engine.home().node().to_string();
    let seen = convert::workspace::workspace(&task, summary, run.as_ref(), &node);
    Ok(Json(seen))
}

/// What the task changed. Binary and huge files are named, not shown.
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
