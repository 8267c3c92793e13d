//! The route for the setup of a task's workspace, and its log (W-13).

use axum::Json;
use axum::extract::State;
use forge_api::{LogQuery, WorkspaceSetup, actions};
use forge_domain::{Effect, TaskId};
use forge_store::tables;
use uuid::Uuid;

use crate::app::AppState;
use crate::convert;
use crate::error::api_error::ApiError;
use crate::input::{Path, Query};
use crate::routes::action_route::{ActionRoute, action_routes};
use crate::routes::execution::log_page;

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        GET_WORKSPACE_SETUP => show,
    ]
}

/// Show the last setup of a task's workspace
///
/// With a part of its output, by bytes; parts end between characters.
#[utoipa::path(get, path = actions::GET_WORKSPACE_SETUP.path, tag = "workspaces",
    params(("id" = Uuid, Path, description = "The task."), LogQuery),
    responses((status = 200, description = "The setup.", body = WorkspaceSetup)))]
async fn show(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    Query(query): Query<LogQuery>,
) -> Result<Json<WorkspaceSetup>, ApiError> {
    let (db, task) = (app.engine.db(), app.engine.records().task(TaskId::new(id)).await?);
    let ports = tables::ports::of_task(db, task.id).await?;
    let steps = tables::effects::list_of_task(db, task.id).await?;
    let last = steps.iter().rfind(|step| matches!(step.effect, Effect::SetUpWorkspace { .. }));
    let complete = last.is_none_or(|step| !step.open);
    let log = log_page::page(&app.engine.home().log(task.id.uuid()), &query, complete).await?;
    Ok(Json(convert::workspaces::setup::setup(last, &ports, log, app.engine.now())))
}
