//! An error answer (SPEC S-1).

use axum::response::{IntoResponse, Response};
use forge_api::ErrorCode;
use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use serde_json::Value;

/// The error of a handler: a code of the closed list, a message that says what to do next, and the data of the code.
///
/// As a response it has its status but no body yet: the body contains the request id, which only the
/// [envelope](crate::with_middleware) knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiError {
    code: ErrorCode,
    message: String,
    details: Value,
    retry_after_seconds: Option<u64>,
}

impl ApiError {
    /// An error with a specific message.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: Value::Null, retry_after_seconds: None }
    }

    /// An error with the documented message of its code.
    pub fn from_code(code: ErrorCode) -> Self {
        Self::new(code, code.hint())
    }

    /// Adds the data of the code.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = details;
        self
    }

    /// Sets the `Retry-After` header.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after_seconds = Some(seconds);
        self
    }

    /// Code of the error.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// The message for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The data for programs.
    pub fn details(&self) -> &Value {
        &self.details
    }

    /// The HTTP status of its code.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

impl From<ErrorCode> for ApiError {
    fn from(code: ErrorCode) -> Self {
        Self::from_code(code)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        if let Some(seconds) = self.retry_after_seconds {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}
