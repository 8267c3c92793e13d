//! What a client would rather have (RFC 7240).

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

/// The `Prefer` header. What is not understood is ignored, as its standard demands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Prefer {
    /// Not to wait for the work that follows (T-9).
    pub(crate) respond_async: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for Prefer {
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

/// 202: it is recorded, and what follows is still to be done.
pub(crate) fn accepted(body: impl Serialize) -> Response {
    let applied = HeaderValue::from_static(RESPOND_ASYNC);
    let header = [(PREFERENCE_APPLIED, applied)];
    (StatusCode::ACCEPTED, header, Json(body)).into_response()
}
