//! The route for conflicts between live branches (M-14).

use axum::Json;
use axum::extract::State;
use forge_api::ConflictList;
use forge_domain::ProjectId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::AppState;
use crate::convert::landing::conflict;
use crate::error::api_error::ApiError;
use crate::input::Path;

pub(crate) fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list))
}

/// List the live branches that conflict with each other
///
/// Forge merges every pair of live branches of a repository, without a checkout, soon after one of them moves; work
/// that is saved in the journal counts as committed. The events `conflict.detected` and `conflict.cleared` report
/// changes.
#[utoipa::path(get, path = "/projects/{id}/conflicts", tag = "projects", operation_id = "list_conflicts",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = ConflictList)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<ConflictList>, ApiError> {
    Ok(Json(conflict::conflicts(&app.engine.conflicts(ProjectId::new(id)).await?)))
}
