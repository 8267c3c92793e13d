//! The order of the middleware around the routes.

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use forge_api::ErrorCode;
use http::Uri;
use tower_http::catch_panic::CatchPanicLayer;

use crate::error::api_error::ApiError;
use crate::guard::{AllowedHosts, add_security_headers, check_host, check_origin};
use crate::transport::envelope::{envelope, no_such_path, panicked};
use crate::transport::metrics::count_request;

/// Wraps finished routes with all middleware: every answer has a request id, the common error shape and the security
/// headers, is counted, and no handler runs for a refused host or origin.
///
/// Add a fallback for pages (see [`crate::assets`]) before; without one, unknown paths are `not_found`.
pub fn with_middleware(routes: Router, hosts: AllowedHosts) -> Router {
    routes
        .method_not_allowed_fallback(async || ApiError::from_code(ErrorCode::MethodNotAllowed))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(check_origin))
        .layer(from_fn_with_state(hosts, check_host))
        .layer(from_fn(envelope))
        .layer(from_fn(count_request))
        .layer(from_fn(add_security_headers))
}

/// The fallback of a server without pages.
pub async fn unknown_path(uri: Uri) -> ApiError {
    no_such_path(uri.path())
}
