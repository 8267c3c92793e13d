//! Routes for merge trains and the checks of a project (M-11 to M-13).

use axum::Json;
use axum::extract::State;
use forge_api::{CheckRecord, MergeTrainStatus, QuarantineRequest, actions};
use forge_domain::ProjectId;
use forge_store::tables::tasks;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::convert::landing::merge_train;
use crate::error::api_error::ApiError;
use crate::input::{JsonBody, Path};
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        GET_TRAIN => show,
        PAUSE_TRAIN => pause,
        RESUME_TRAIN => resume,
        LIST_CHECKS => checks,
        QUARANTINE_CHECK => quarantine,
    ]
}

/// Show the merge trains of a project
///
/// One train for each target branch that tasks of this project wait for, with all its entries. A train that another
/// server runs is shown with this project's tasks only, and without the state of their trials. To take a task out,
/// move it to a state for people; to test it again, move it back.
#[utoipa::path(get, path = actions::GET_TRAIN.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<MergeTrainStatus>)))]
async fn show(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<Vec<MergeTrainStatus>>, ApiError> {
    trains(&app, ProjectId::new(id)).await
}

/// Pause landing in a project
///
/// Running trials continue. Pausing it again changes nothing.
#[utoipa::path(post, path = actions::PAUSE_TRAIN.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<MergeTrainStatus>)))]
async fn pause(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Vec<MergeTrainStatus>>, ApiError> {
    app.engine.projects().pause_train(caller.actor, ProjectId::new(id), true).await?;
    trains(&app, ProjectId::new(id)).await
}

/// Resume landing in a project
#[utoipa::path(post, path = actions::RESUME_TRAIN.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<MergeTrainStatus>)))]
async fn resume(
    State(app): State<AppState>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Vec<MergeTrainStatus>>, ApiError> {
    app.engine.projects().pause_train(caller.actor, ProjectId::new(id), false).await?;
    trains(&app, ProjectId::new(id)).await
}

/// List the statistics of a project's checks
///
/// For its primary repository; checks that most often gave two results on one tree come first.
#[utoipa::path(get, path = actions::LIST_CHECKS.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<CheckRecord>)))]
async fn checks(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<Vec<CheckRecord>>, ApiError> {
    let records = app.engine.check_ledger().check_records_of(ProjectId::new(id)).await?;
    Ok(Json(records.into_iter().map(merge_train::check).collect()))
}

/// Ignore the failures of a check for a limited time
///
/// Its result is still recorded, and shown as `quarantined`.
#[utoipa::path(post, path = actions::QUARANTINE_CHECK.path, tag = "projects",
    params(("id" = Uuid, Path)), request_body = QuarantineRequest,
    responses((status = 200, body = Vec<CheckRecord>)))]
async fn quarantine(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
    JsonBody(asked): JsonBody<QuarantineRequest>,
) -> Result<Json<Vec<CheckRecord>>, ApiError> {
    let project = ProjectId::new(id);
    app.engine.check_ledger().quarantine_check_of(project, asked.command, asked.seconds).await?;
    let records = app.engine.check_ledger().check_records_of(project).await?;
    Ok(Json(records.into_iter().map(merge_train::check).collect()))
}

async fn trains(
    app: &AppState,
    project: ProjectId,
) -> Result<Json<Vec<MergeTrainStatus>>, ApiError> {
    let views = app.engine.trains().trains_of(project).await?;
    let entries =
        views.iter().flat_map(|view| &view.entries).filter(|entry| entry.project == project);
    let ids: Vec<_> = entries.map(|entry| entry.task).collect();
    let known = tasks::load_many(app.engine.db(), &ids).await?;
    Ok(Json(views.iter().map(|view| merge_train::train(view, project, &known)).collect()))
}
