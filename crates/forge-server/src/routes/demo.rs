//! The demonstration.

use axum::Json;
use axum::extract::State;
use forge_api::{Demo, DemoStarted};
use forge_domain::ProjectId;
use http::StatusCode;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::caller::Caller;
use crate::demo;
use crate::failure::Failure;
use crate::input::Path;
use crate::refusal::internal;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(start)).routes(routes!(show))
}

/// Start a demonstration
///
/// Makes a throw-away repository and a project with scripted agents that work on it at once. Each call makes another.
#[utoipa::path(
    post, path = "/demo", tag = "system", operation_id = "start_demo",
    responses((status = 201, description = "It runs", body = DemoStarted))
)]
async fn start(
    State(app): State<App>,
    caller: Caller,
) -> Result<(StatusCode, Json<DemoStarted>), Failure> {
    caller.admin()?;
    // In a task of its own: a client that hangs up in the middle leaves no half of a demonstration.
    let making = app.clone();
    let made = app.background.spawn(async move {
        let started = demo::set(&making.engine, &caller.actor).await?;
        demo::drive(&making, ProjectId::new(started.project_id));
        Ok::<_, Failure>(started)
    });
    let started = made.await.map_err(|error| internal(&error.to_string()))??;
    Ok((StatusCode::CREATED, Json(started)))
}

/// See how a demonstration stands
#[utoipa::path(
    get, path = "/demo/{project_id}", tag = "system", operation_id = "get_demo",
    params(("project_id" = Uuid, Path, description = "The demonstration's project")),
    responses((status = 200, description = "How it stands", body = Demo))
)]
async fn show(State(app): State<App>, Path(project_id): Path<Uuid>) -> Result<Json<Demo>, Failure> {
    Ok(Json(demo::report(&app.engine, ProjectId::new(project_id)).await?))
}
