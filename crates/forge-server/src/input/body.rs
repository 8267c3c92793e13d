//! Request bodies: JSON of limited size, without unknown fields.

use std::error::Error;

use axum::extract::{FromRef, FromRequest, Request};
use bytes::Bytes;
use forge_api::ErrorCode;
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::error::api_error::ApiError;
use crate::input::depth::is_deeper_than;
use crate::input::limits::BodyLimits;
use crate::input::strict;

/// A JSON body that is required.
#[derive(Debug, Clone, Copy)]
pub struct JsonBody<T>(pub T);

/// A JSON body that may be left out, for requests with only optional fields: an empty body means `{}`.
#[derive(Debug, Clone, Copy)]
pub struct OptionalJsonBody<T>(pub T);

impl<S, T> FromRequest<S> for JsonBody<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
    BodyLimits: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let limits = BodyLimits::from_ref(state);
        require_json(request.headers())?;
        let bytes = collect(request, limits).await?;
        parse(&bytes, limits).map(Self)
    }
}

impl<S, T> FromRequest<S> for OptionalJsonBody<T>
where
    S: Send + Sync,
    T: DeserializeOwned,
    BodyLimits: FromRef<S>,
{
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let limits = BodyLimits::from_ref(state);
        let declared = require_json(request.headers());
        let bytes = collect(request, limits).await?;
        if bytes.is_empty() {
            return parse(b"{}", limits).map(Self);
        }
        declared?;
        parse(&bytes, limits).map(Self)
    }
}

fn require_json(headers: &HeaderMap) -> Result<(), ApiError> {
    let declared = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = declared.and_then(|value| value.split(';').next()).map(str::trim);
    if essence.is_some_and(|essence| essence.eq_ignore_ascii_case("application/json")) {
        return Ok(());
    }
    Err(ApiError::from_code(ErrorCode::UnsupportedMediaType)
        .with_details(json!({ "content_type": declared })))
}

async fn collect(request: Request, limits: BodyLimits) -> Result<Bytes, ApiError> {
    let announced = request
        .headers()
        .get(CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.parse::<usize>().ok());
    if announced.is_some_and(|bytes| bytes > limits.body_bytes) {
        return Err(too_large(limits));
    }
    let reading = Limited::new(request.into_body(), limits.body_bytes).collect();
    match tokio::time::timeout(limits.body_time, reading).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if is_length_limit(error.as_ref()) => Err(too_large(limits)),
        // The client disconnected; it does not read this answer, and the log should not report a server error.
        Ok(Err(_)) | Err(_) => Err(ApiError::from_code(ErrorCode::RequestTimeout)),
    }
}

/// axum wraps the error of an inner body, so search the whole chain.
fn is_length_limit(error: &(dyn Error + 'static)) -> bool {
    std::iter::successors(Some(error), |error| (*error).source())
        .any(|error| error.is::<LengthLimitError>())
}

fn too_large(limits: BodyLimits) -> ApiError {
    let limit = limits.body_bytes;
    ApiError::new(
        ErrorCode::BodyTooLarge,
        format!("The body is larger than {limit} bytes. Send less."),
    )
    .with_details(json!({ "limit": limit }))
}

fn parse<T: DeserializeOwned>(bytes: &[u8], limits: BodyLimits) -> Result<T, ApiError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        ApiError::new(
            ErrorCode::BodyNotUtf8,
            format!(
                "The body is not valid UTF-8 after byte {}. Encode it as UTF-8.",
                error.valid_up_to()
            ),
        )
        .with_details(json!({ "valid_up_to": error.valid_up_to() }))
    })?;
    if is_deeper_than(limits.depth, text) {
        let limit = limits.depth;
        return Err(ApiError::new(
            ErrorCode::BodyTooDeep,
            format!("The JSON is nested deeper than {limit} levels. Flatten it."),
        )
        .with_details(json!({ "limit": limit })));
    }
    if text.trim_start().starts_with('[') {
        // serde would read a list as the fields in the order of the source.
        return Err(ApiError::new(
            ErrorCode::InvalidField,
            "The body is a list. Send an object with named fields.",
        )
        .with_details(json!({ "path": "." })));
    }
    let mut json = serde_json::Deserializer::from_str(text);
    let read = strict::read_strict::<T, _>(&mut json).map_err(read_error)?;
    json.end().map_err(|error| not_json(&error))?;
    if read.unknown.is_empty() { Ok(read.value) } else { Err(unknown_fields(&read.unknown)) }
}

fn read_error(misfit: strict::StrictReadError<serde_json::Error>) -> ApiError {
    if !misfit.error.is_data() {
        return not_json(&misfit.error);
    }
    let reason = without_place(&misfit.error);
    let path = misfit.path;
    let mut message = format!("The field `{path}` cannot be used: {reason}.");
    let mut details = json!({ "path": path });
    if !misfit.unknown.is_empty() {
        message.push_str(&format!(
            " There are also fields this request does not know: {}.",
            listed(&misfit.unknown)
        ));
        details["unknown_fields"] = json!(misfit.unknown);
    }
    ApiError::new(ErrorCode::InvalidField, message).with_details(details)
}

fn unknown_fields(unknown: &[String]) -> ApiError {
    ApiError::new(
        ErrorCode::UnknownField,
        format!(
            "This request does not know {}. Remove or correct what is misspelt.",
            listed(unknown)
        ),
    )
    .with_details(json!({ "fields": unknown }))
}

fn not_json(error: &serde_json::Error) -> ApiError {
    let (line, column) = (error.line(), error.column());
    ApiError::new(
        ErrorCode::BodyNotJson,
        format!(
            "The body is not valid JSON at line {line}, column {column}: {}.",
            without_place(error)
        ),
    )
    .with_details(json!({ "line": line, "column": column }))
}

/// serde_json appends the position to its message; the answer has it separately.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((reason, _)) => reason.to_owned(),
        None => text,
    }
}

fn listed(names: &[String]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
