//! The middleware of every route that is not public.

use axum::Router;
use axum::middleware::from_fn_with_state;

use crate::app::AppState;
use crate::caller::authenticate::require_caller;
use crate::caller::membership::require_membership;

/// Wraps routes with authentication and membership checks. There is no other way to mount a protected route.
pub(crate) fn protect(routes: Router<AppState>, app: &AppState) -> Router<AppState> {
    // The layer that is added last runs first.
    routes
        .route_layer(from_fn_with_state(app.clone(), require_membership))
        .route_layer(from_fn_with_state(app.clone(), require_caller))
}
