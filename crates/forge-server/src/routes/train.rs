//! Those who wait to land, and the checks they have to pass (M-11 to M-13).

use axum::Json;
use axum::extract::State;
use forge_api::{CheckRecord, Quarantine, Train};
use forge_domain::ProjectId;
use forge_store::tables::tasks;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::convert::train;
use crate::failure::Failure;
use crate::input::{Body, Path};

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(show))
        .routes(routes!(pause))
        .routes(routes!(resume))
        .routes(routes!(checks))
        .routes(routes!(quarantine))
}

/// Show who waits to land
///
/// One entry for each target branch that tasks of this project wait for, with everybody who waits there. A train that
/// another server runs is shown with this project's tasks only, and without how they stand. To take a task out, move it
/// to where people look after it; to try it again, move it back.
#[utoipa::path(get, path = "/projects/{id}/train", tag = "projects", operation_id = "get_train",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<Train>)))]
async fn show(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Json<Vec<Train>>, Failure> {
    trains(&app, ProjectId::new(id)).await
}

/// Let nothing of a project land for now
///
/// What is being tried goes on. Pausing it again changes nothing.
#[utoipa::path(post, path = "/projects/{id}/train/pause", tag = "projects", operation_id = "pause_train",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<Train>)))]
async fn pause(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Vec<Train>>, Failure> {
    caller.writer()?;
    app.engine.pause_train(caller.actor, ProjectId::new(id), true).await?;
    trains(&app, ProjectId::new(id)).await
}

/// Let a project's tasks land again
#[utoipa::path(post, path = "/projects/{id}/train/resume", tag = "projects", operation_id = "resume_train",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<Train>)))]
async fn resume(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> Result<Json<Vec<Train>>, Failure> {
    caller.writer()?;
    app.engine.pause_train(caller.actor, ProjectId::new(id), false).await?;
    trains(&app, ProjectId::new(id)).await
}

/// List what is known of a project's checks
///
/// Of its primary repository; those that gave two results on one tree most often come first.
#[utoipa::path(get, path = "/projects/{id}/checks", tag = "projects", operation_id = "list_checks",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Vec<CheckRecord>)))]
async fn checks(
    State(app): State<App>,
    Path(id): Path<Uuid>,
) -> Result<Json<Vec<CheckRecord>>, Failure> {
    let records = app.engine.check_records_of(ProjectId::new(id)).await?;
    Ok(Json(records.into_iter().map(train::check).collect()))
}

/// Blame nobody for the failure of a check for a while
///
/// Its result is still recorded, and shown as `quarantined`.
#[utoipa::path(post, path = "/projects/{id}/checks/quarantine", tag = "projects", operation_id = "quarantine_check",
    params(("id" = Uuid, Path)), request_body = Quarantine,
    responses((status = 200, body = Vec<CheckRecord>)))]
async fn quarantine(
    State(app): State<App>,
    caller: Caller,
    Path(id): Path<Uuid>,
    Body(asked): Body<Quarantine>,
) -> Result<Json<Vec<CheckRecord>>, Failure> {
    caller.writer()?;
    let project = ProjectId::new(id);
    app.engine.quarantine_check_of(project, asked.command, asked.seconds).await?;
    let records = app.engine.check_records_of(project).await?;
    Ok(Json(records.into_iter().map(train::check).collect()))
}

async fn trains(app: &App, project: ProjectId) -> Result<Json<Vec<Train>>, Failure> {
    let views = app.engine.trains_of(project).await?;
    let cars = views.iter().flat_map(|view| &view.cars).filter(|car| car.project == project);
    let ids: Vec<_> = cars.map(|car| car.task).collect();
    let known = tasks::load_many(app.engine.db(), &ids).await?;
    Ok(Json(views.iter().map(|view| train::train(view, project, &known)).collect()))
}
