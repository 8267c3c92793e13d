//! An answer that is not a success (SPEC S-1).

use axum::response::{IntoResponse, Response};
use forge_api::ErrorCode;
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use serde_json::Value;

/// What a handler answers when it refuses or fails: a code of the closed list, a message that says what to do next,
/// and the facts that belong to the code.
///
/// As a response it has its status and no body yet: the body names the request, which only the
/// [envelope](crate::dress) knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    code: ErrorCode,
    message: String,
    details: Value,
    retry_after_seconds: Option<u64>,
}

impl Failure {
    /// A failure with a message for this very case.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: Value::Null, retry_after_seconds: None }
    }

    /// A failure about which there is nothing to say but what the documentation of its code says.
    pub fn plain(code: ErrorCode) -> Self {
        Self::new(code, code.hint())
    }

    /// Adds the facts that belong to the code.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = details;
        self
    }

    /// Says how long to wait, in the `Retry-After` header.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_seconds = Some(seconds);
        self
    }

    /// Its code.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// What it tells people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What it tells programs beside the code.
    pub fn details(&self) -> &Value {
        &self.details
    }

    /// The HTTP status of its code.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<ErrorCode> for Failure {
    fn from(code: ErrorCode) -> Self {
        Self::plain(code)
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        if let Some(seconds) = self.retry_after_seconds {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}
