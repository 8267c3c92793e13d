//! What stands before every route that is not public.

use axum::Router;
use axum::middleware::from_fn_with_state;

use super::identify::require_caller;
use super::membership::require_membership;
use crate::app::App;

/// Routes that know their caller, and keep members to their projects. There is no other way to mount one.
pub(crate) fn protect(routes: Router<App>, app: &App) -> Router<App> {
    // The last one is met first.
    routes
        .route_layer(from_fn_with_state(app.clone(), require_membership))
        .route_layer(from_fn_with_state(app.clone(), require_caller))
}
