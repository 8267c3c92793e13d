//! The `Prefer` header (RFC 7240).

use std::convert::Infallible;

use axum::Json;
use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Serialize;

const PREFER: HeaderName = HeaderName::from_static("prefer");
const PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
const RESPOND_ASYNC: &str = "respond-async";

/// The parsed `Prefer` header. Unknown preferences are ignored, as the standard requires.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PreferHeader {
    /// Whether the client does not wait for the work that follows (T-9).
    pub(crate) respond_async: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for PreferHeader {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let respond_async = parts
            .headers
            .get_all(PREFER)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .filter_map(|preference| preference.split(';').next())
            .any(|name| name.trim().eq_ignore_ascii_case(RESPOND_ASYNC));
        Ok(Self { respond_async })
    }
}

/// The 202 answer: the request is recorded, and the work is still pending.
pub(crate) fn accepted_response(body: impl Serialize) -> Response {
    let applied = HeaderValue::from_static(RESPOND_ASYNC);
    let header = [(PREFERENCE_APPLIED, applied)];
    (StatusCode::ACCEPTED, header, Json(body)).into_response()
}
