//! Live branches that clash with each other (M-14).

use axum::Json;
use axum::extract::State;
use forge_api::Conflicts;
use forge_domain::ProjectId;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::app::App;
use crate::convert::conflict;
use crate::failure::Failure;
use crate::input::Path;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list))
}

/// List the live branches that clash with each other
///
/// Every pair of live branches of a repository is merged, without a checkout, soon after one of them moved; work that is
/// saved in the journal counts as if it were committed. `conflict.detected` and `conflict.cleared` tell of changes.
#[utoipa::path(get, path = "/projects/{id}/conflicts", tag = "projects", operation_id = "list_conflicts",
    params(("id" = Uuid, Path)),
    responses((status = 200, body = Conflicts)))]
async fn list(State(app): State<App>, Path(id): Path<Uuid>) -> Result<Json<Conflicts>, Failure> {
    Ok(Json(conflict::conflicts(&app.engine.conflicts(ProjectId::new(id)).await?)))
}
