//! Placeholder for the routes of this noun.

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

pub(crate) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
}
