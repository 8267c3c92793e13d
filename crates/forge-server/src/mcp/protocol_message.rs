//! The form of messages, checked before the protocol library reads them: it answers malformed ones with plain text,
//! and the protocol has errors for them.

use axum::Json;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, StatusCode};
use http_body_util::BodyExt;
use rmcp::model::{ErrorCode, ErrorData, ProtocolVersion};
use serde_json::{Value, json};

/// The header that names the revision of the protocol.
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");

/// A message that is refused, with the id of its request if it could be read.
#[derive(Debug)]
pub(crate) struct RefusedMessage {
    status: StatusCode,
    id: Value,
    error: Box<ErrorData>,
}

impl RefusedMessage {
    /// A message of this status whose sender violated the protocol.
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        let error = ErrorData::invalid_request(message.into(), None);
        Self { status, id: Value::Null, error: Box::new(error) }
    }

    fn bad_request(id: Value, error: ErrorData) -> Self {
        Self { status: StatusCode::BAD_REQUEST, id, error: Box::new(error) }
    }
}

impl IntoResponse for RefusedMessage {
    fn into_response(self) -> Response {
        let body = json!({ "jsonrpc": "2.0", "id": self.id, "error": self.error });
        (self.status, Json(body)).into_response()
    }
}

/// Checks that a body is one message of a revision that the server speaks; returns the id of its request.
pub(crate) fn check_message(headers: &HeaderMap, body: &[u8]) -> Result<Value, RefusedMessage> {
    let message: Value = serde_json::from_slice(body).map_err(|error| {
        let what = format!("The message is not JSON: {error}.");
        RefusedMessage::bad_request(Value::Null, ErrorData::parse_error(what, None))
    })?;
    let id = message.get("id").filter(|id| id.is_string() || id.is_number());
    let id = id.cloned().unwrap_or_default();
    let refuse = |what: &'static str| {
        RefusedMessage::bad_request(id.clone(), ErrorData::invalid_request(what, None))
    };
    if message.is_array() {
        return Err(refuse("Batches are not part of the protocol. Send one message."));
    }
    if message["jsonrpc"] != "2.0" {
        return Err(refuse("The message is not JSON-RPC: `jsonrpc` must be \"2.0\"."));
    }
    let is_request = message["method"].is_string();
    let is_answer = message.get("result").is_some() || message.get("error").is_some();
    if !is_request && !is_answer {
        return Err(refuse("The message has neither a `method` nor a `result` or `error`."));
    }
    if is_request && message.get("id").is_some() && id.is_null() {
        return Err(refuse("The `id` of a request must be text or a number."));
    }
    if message.get("params").is_some_and(|params| !params.is_object()) {
        return Err(refuse("`params` must be an object."));
    }
    check_version(headers, &message, &id)?;
    Ok(id)
}

/// A handshake negotiates the revision; any other message names one that the server speaks, or none.
fn check_version(headers: &HeaderMap, message: &Value, id: &Value) -> Result<(), RefusedMessage> {
    let named = headers.get(VERSION).and_then(|value| value.to_str().ok());
    let Some(named) = named.filter(|_| message["method"] != "initialize") else { return Ok(()) };
    let known = ProtocolVersion::KNOWN_VERSIONS;
    if known.iter().any(|version| version.as_str() == named) {
        return Ok(());
    }
    let data = json!({ "requested": named, "supported": known });
    let what = "Unsupported protocol version";
    let error = ErrorData::new(ErrorCode::UNSUPPORTED_PROTOCOL_VERSION, what, Some(data));
    Err(RefusedMessage::bad_request(id.clone(), error))
}

/// The answer of the protocol library, whose plain-text errors become errors of the protocol.
pub(crate) async fn with_protocol_error<B>(response: http::Response<B>, id: Value) -> Response
where
    B: BodyExt<Data = Bytes> + Send + 'static,
    B::Error: Into<axum::BoxError>,
{
    let status = response.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let is_json = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
    if !is_error || is_json {
        return response.map(axum::body::Body::new).into_response();
    }
    let (parts, body) = response.into_parts();
    let text = match body.collect().await {
        Ok(collected) => String::from_utf8_lossy(&collected.to_bytes()).into_owned(),
        Err(_) => String::new(),
    };
    let what = if text.is_empty() { status.to_string() } else { text };
    let refused = RefusedMessage { id, ..RefusedMessage::new(status, what) };
    let mut answer = refused.into_response();
    for (name, value) in &parts.headers {
        if *name != CONTENT_TYPE && *name != http::header::CONTENT_LENGTH {
            answer.headers_mut().append(name, value.clone());
        }
    }
    answer
}
