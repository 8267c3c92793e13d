//! Authenticates the caller of every route that is not public.

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use forge_api::ErrorCode;
use http::header::WWW_AUTHENTICATE;
use http::{HeaderMap, HeaderValue, Method};

use crate::app::AppState;
use crate::auth::{SessionCookie, bearer};
use crate::caller::caller_identity::Caller;
use crate::error::api_error::ApiError;

/// Lets routes run only for authenticated callers.
pub(crate) fn require_caller(routes: Router<AppState>, app: &AppState) -> Router<AppState> {
    routes.route_layer(from_fn_with_state(app.clone(), authenticate_before))
}

/// Attaches the [`Caller`] to the request. Refuses read-only credentials for all requests except reads, so that no
/// handler has to.
async fn authenticate_before(
    State(app): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let caller = match identify_caller(&app, request.headers()).await {
        Ok(caller) => caller,
        Err(refused) => return refused,
    };
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads && let Err(refused) = caller.require_write_scope() {
        return refused.into_response();
    }
    request.extensions_mut().insert(caller);
    next.run(request).await
}

/// The caller of a request, whatever its credential allows; otherwise the answer that asks for a credential.
pub(crate) async fn identify_caller(
    app: &AppState,
    headers: &HeaderMap,
) -> Result<Caller, Response> {
    match authenticate(app, headers).await {
        Ok(Some(caller)) => Ok(caller),
        Ok(None) => {
            let mut refused = ApiError::from_code(ErrorCode::Unauthorized).into_response();
            refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            Err(refused)
        }
        Err(failure) => Err(failure.into_response()),
    }
}

/// A wrong token is an error even beside a valid cookie: the sender wants to act as the owner of the token.
async fn authenticate(app: &AppState, headers: &HeaderMap) -> Result<Option<Caller>, ApiError> {
    if let Some(token) = bearer(headers) {
        return app.credentials.resolve_token(&app.engine, &token).await;
    }
    match SessionCookie::read(headers) {
        Some(cookie) => app.credentials.resolve_session(&app.engine, &cookie).await,
        None => Ok(None),
    }
}
