//! Routes for the demonstration.

use axum::Json;
use axum::extract::State;
use forge_api::{DemoReport, DemoStarted, actions};
use forge_domain::ProjectId;
use http::StatusCode;
use uuid::Uuid;

use crate::app::AppState;
use crate::caller::Caller;
use crate::demo;
use crate::error::api_error::ApiError;
use crate::error::engine_error::internal_error;
use crate::input::Path;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        START_DEMO => start,
        GET_DEMO => show,
    ]
}

/// Start a demonstration
///
/// Creates a temporary repository and a project with scripted agents that start working at once. Each call creates
/// another demonstration.
#[utoipa::path(
    post, path = actions::START_DEMO.path, tag = "system",
    responses((status = 201, description = "The demonstration was started", body = DemoStarted))
)]
async fn start(
    State(app): State<AppState>,
    caller: Caller,
) -> Result<(StatusCode, Json<DemoStarted>), ApiError> {
    // Run in its own task, so that a client that disconnects does not leave an incomplete demonstration.
    let making = app.clone();
    let made = app.background.spawn(async move {
        let started = demo::create_demo(&making.engine, &caller.actor).await?;
        demo::drive(&making, ProjectId::new(started.project_id));
        Ok::<_, ApiError>(started)
    });
    let started = made.await.map_err(|error| internal_error(&error.to_string()))??;
    Ok((StatusCode::CREATED, Json(started)))
}

/// Show the state of a demonstration
#[utoipa::path(
    get, path = actions::GET_DEMO.path, tag = "system",
    params(("project_id" = Uuid, Path, description = "The demonstration's project")),
    responses((status = 200, description = "The state of the demonstration", body = DemoReport))
)]
async fn show(
    State(app): State<AppState>,
    Path(project_id): Path<Uuid>,
) -> Result<Json<DemoReport>, ApiError> {
    Ok(Json(demo::report(&app.engine, ProjectId::new(project_id)).await?))
}
