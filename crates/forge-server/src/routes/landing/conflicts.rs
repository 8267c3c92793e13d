//! The route for conflicts between live branches (M-14).

use axum::Json;
use axum::extract::State;
use forge_api::{ConflictList, actions};
use forge_domain::ProjectId;
use uuid::Uuid;

use crate::app::AppState;
use crate::convert::landing::conflict;
use crate::error::api_error::ApiError;
use crate::input::Path;
use crate::routes::action_route::{ActionRoute, action_routes};

pub(crate) fn routes() -> Vec<ActionRoute> {
    action_routes![
        LIST_CONFLICTS => list,
    ]
}

/// List the live branches that conflict with each other
///
/// Forge merges every pair of live branches of a repository, without a checkout, soon after one of them moves; work
/// that is saved in the journal counts as committed. The events `conflict.detected` and `conflict.cleared` report
/// changes.
#[utoipa::path(get, path = actions::LIST_CONFLICTS.path, tag = "projects",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = ConflictList)))]
async fn list(
    State(app): State<AppState>,
    Path(id): Path<Uuid>,
) -> Result<Json<ConflictList>, ApiError> {
    Ok(Json(conflict::conflicts(&app.engine.radar().conflicts(ProjectId::new(id)).await?)))
}
