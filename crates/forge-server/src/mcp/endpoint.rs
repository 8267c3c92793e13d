//! The HTTP endpoints: `/mcp`, `/mcp/run` and `/mcp/all`.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use bytes::Bytes;
use http::{Method, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::Value;

use crate::app::AppState;
use crate::caller::identify_caller;
use crate::error::api_error::ApiError;
use crate::guard::require_same_origin;
use crate::mcp::mcp_handler::McpHandler;
use crate::mcp::protocol_message::{RefusedMessage, check_message, with_protocol_error};
use crate::mcp::tool_set::ToolSet;

/// What a message adds to the body of the request that its tool performs.
const ENVELOPE_BYTES: usize = 64 * 1024;

/// One URL of the protocol.
#[derive(Clone)]
struct McpEndpoint {
    app: AppState,
    api: Router,
    set: ToolSet,
}

/// The routes of the protocol. Their requests go to `api` in process.
pub(crate) fn mcp_routes(app: &AppState, api: &Router) -> Router {
    let urls = [("/mcp", ToolSet::Board), ("/mcp/run", ToolSet::Run), ("/mcp/all", ToolSet::All)];
    urls.into_iter().fold(Router::new(), |router, (url, set)| {
        let endpoint = McpEndpoint { app: app.clone(), api: api.clone(), set };
        router.route(url, any(answer).with_state(endpoint))
    })
}

/// Answers a message. The host is checked before, as for every request.
async fn answer(State(endpoint): State<McpEndpoint>, request: Request) -> Response {
    // The protocol wants this for every method.
    if let Err(refused) = require_same_origin(request.headers()) {
        return refused.into_response();
    }
    let caller = match identify_caller(&endpoint.app, request.headers()).await {
        Ok(caller) => caller,
        Err(refused) => return refused,
    };
    let set = match ToolSet::of_caller(&endpoint.app.engine, &caller, endpoint.set).await {
        Ok(set) => set,
        Err(error) => return ApiError::from(error).into_response(),
    };
    let (mut parts, body) = request.into_parts();
    let (body, id) = match parts.method {
        Method::POST => {
            let read = read_body(&endpoint.app, body).await;
            match read.and_then(|body| check_message(&parts.headers, &body).map(|id| (body, id))) {
                Ok(read) => read,
                Err(refused) => return refused.into_response(),
            }
        }
        _ => (Bytes::new(), Value::Null),
    };
    parts.extensions.insert(caller);
    let service = endpoint.service(set);
    let response = service.handle(http::Request::from_parts(parts, Full::new(body))).await;
    with_protocol_error(response, id).await
}

async fn read_body(app: &AppState, body: axum::body::Body) -> Result<Bytes, RefusedMessage> {
    let limits = app.settings.limits();
    let most = limits.body_bytes + ENVELOPE_BYTES;
    match tokio::time::timeout(limits.body_time, Limited::new(body, most).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            let what = format!("The message is larger than {most} bytes. Send less.");
            Err(RefusedMessage::new(StatusCode::PAYLOAD_TOO_LARGE, what))
        }
        Ok(Err(_)) | Err(_) => {
            let what = "The message was not sent completely in time. Send it again.";
            Err(RefusedMessage::new(StatusCode::REQUEST_TIMEOUT, what))
        }
    }
}

impl McpEndpoint {
    /// The protocol library, without sessions for clients of every revision. Its checks of host and origin know only
    /// fixed lists, so the server's own are in their place.
    fn service(&self, set: ToolSet) -> StreamableHttpService<McpHandler, NeverSessionManager> {
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(usize::MAX)
            .with_cancellation_token(self.app.stop.clone())
            .disable_allowed_hosts()
            .disable_allowed_origins();
        let handler = McpHandler::new(self.app.clone(), self.api.clone(), set);
        let sessions = Arc::new(NeverSessionManager::default());
        StreamableHttpService::new(move || Ok(handler.clone()), sessions, config)
    }
}
