//! Stands before every route that is not public, so that none can forget to ask.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use forge_api::ErrorCode;
use http::header::WWW_AUTHENTICATE;
use http::{HeaderMap, HeaderValue, Method};

use super::known::Caller;
use crate::app::App;
use crate::auth::{SessionCookie, bearer};
use crate::failure::Failure;

/// Lets known callers through, with who they are; a read-only credential only where nothing can change.
pub(crate) async fn require_caller(
    State(app): State<App>,
    mut request: Request,
    next: Next,
) -> Response {
    let caller = match identify(&app, request.headers()).await {
        Ok(Some(caller)) => caller,
        Ok(None) => {
            let mut refused = Failure::plain(ErrorCode::Unauthorized).into_response();
            refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            return refused;
        }
        Err(failure) => return failure.into_response(),
    };
    let reads = [Method::GET, Method::HEAD].contains(request.method());
    if !reads && let Err(refused) = caller.writer() {
        return refused.into_response();
    }
    request.extensions_mut().insert(caller);
    next.run(request).await
}

/// A token that is given but wrong is an error even beside a good cookie: its sender means to be somebody else.
async fn identify(app: &App, headers: &HeaderMap) -> Result<Option<Caller>, Failure> {
    if let Some(token) = bearer(headers) {
        return app.credentials.of_token(&app.engine, &token).await;
    }
    match SessionCookie::read(headers) {
        Some(cookie) => app.credentials.of_session(&app.engine, &cookie).await,
        None => Ok(None),
    }
}
