//! Request ids, request logs and the common shape of errors.

use std::any::Any;

use axum::Json;
use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use forge_api::{ErrorBody, ErrorCode};
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http::{HeaderName, StatusCode};
use serde_json::json;
use tracing::Instrument;

use crate::error::api_error::ApiError;
use crate::transport::request_id::RequestId;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Gives the request its id and turns every error, from Forge or from a library, into the documented body.
pub(crate) async fn envelope(mut request: Request, next: Next) -> Response {
    let id = RequestId::fresh();
    request.extensions_mut().insert(id);
    // Log the route and not the path: paths contain user input, and one-time codes must not reach a log.
    let route = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str);
    let span = tracing::info_span!("request", request_id = %id, method = %request.method(), route);
    async move {
        let mut response = shaped(next.run(request).await, id);
        if let Some(value) = id.header_value() {
            response.headers_mut().insert(X_REQUEST_ID, value);
        }
        let status = response.status().as_u16();
        tracing::debug!(status, "answered request");
        response
    }
    .instrument(span)
    .await
}

fn shaped(mut response: Response, id: RequestId) -> Response {
    let failure = response.extensions_mut().remove::<ApiError>();
    let Some(failure) = failure.or_else(|| from_library(&response)) else {
        return response;
    };
    if failure.status().is_server_error() {
        tracing::error!(code = %failure.code(), message = failure.message(), "request failed");
    }
    let body = ErrorBody {
        code: failure.code(),
        message: failure.message().to_owned(),
        details: failure.details().clone(),
        request_id: id.to_string(),
    };
    let mut answer = (failure.status(), Json(body)).into_response();
    for (name, value) in response.headers() {
        if name != CONTENT_TYPE && name != CONTENT_LENGTH {
            answer.headers_mut().append(name.clone(), value.clone());
        }
    }
    answer
}

/// Converts an error that axum or tower answered by itself. A JSON body stays as it is: it is the error of another
/// protocol, such as MCP.
fn from_library(response: &Response) -> Option<ApiError> {
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let is_json = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
    if !is_error || is_json {
        return None;
    }
    let code = match status {
        StatusCode::UNAUTHORIZED => ErrorCode::Unauthorized,
        StatusCode::FORBIDDEN => ErrorCode::Forbidden,
        StatusCode::NOT_FOUND => ErrorCode::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => ErrorCode::MethodNotAllowed,
        StatusCode::REQUEST_TIMEOUT => ErrorCode::RequestTimeout,
        StatusCode::PAYLOAD_TOO_LARGE => ErrorCode::BodyTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ErrorCode::UnsupportedMediaType,
        StatusCode::UNPROCESSABLE_ENTITY => ErrorCode::InvalidField,
        StatusCode::TOO_MANY_REQUESTS => ErrorCode::Throttled,
        StatusCode::SERVICE_UNAVAILABLE => ErrorCode::NotReady,
        StatusCode::GATEWAY_TIMEOUT => ErrorCode::Timeout,
        status if status.is_client_error() => ErrorCode::InvalidQuery,
        _ => ErrorCode::Internal,
    };
    Some(ApiError::from_code(code))
}

/// The answer to an unknown path.
pub(crate) fn no_such_path(path: &str) -> ApiError {
    ApiError::new(ErrorCode::NotFound, "No such path. /docs lists all paths of the API.")
        .with_details(json!({ "kind": "path", "path": path }))
}

/// Answers for a handler that panicked: the payload goes to the log, the client gets only the request id.
pub(crate) fn panicked(payload: Box<dyn Any + Send + 'static>) -> Response {
    let message = payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a payload without text");
    tracing::error!(panic = message, "handler panicked");
    ApiError::from_code(ErrorCode::Internal).into_response()
}
