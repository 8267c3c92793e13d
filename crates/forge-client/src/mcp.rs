//! Messages of the Model Context Protocol, forwarded as they are.

use http::header::{ACCEPT, HeaderName};
use http::{HeaderValue, StatusCode};
use serde_json::Value;

use crate::api_call::ApiCall;
use crate::api_client::ApiClient;
use crate::error::ClientError;

/// Sends messages to the endpoints of the protocol.
#[derive(Debug, Clone, Copy)]
pub struct McpClient<'a>(pub(crate) &'a ApiClient);

/// The set of tools that an endpoint offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McpToolSet {
    /// The tools of a task's agent.
    Run,
    /// The tools of a board.
    Board,
    /// A tool for every action.
    All,
}

impl McpToolSet {
    fn path(self) -> &'static str {
        match self {
            Self::Run => "/mcp/run",
            Self::Board => "/mcp",
            Self::All => "/mcp/all",
        }
    }
}

impl McpClient<'_> {
    /// Sends one message; returns the answer, whatever its status, or `None` for a message that has no answer.
    pub async fn send(
        &self,
        set: McpToolSet,
        message: Vec<u8>,
        headers: &[(&'static str, String)],
    ) -> Result<Option<Value>, ClientError> {
        let accepted = HeaderValue::from_static("application/json, text/event-stream");
        let mut call = ApiCall::post_at_root(set.path()).raw_json(message).waits_for_work();
        call = call.header(ACCEPT, accepted);
        for (name, value) in headers {
            // The server names a header that is missing better than this client could.
            if let Ok(value) = HeaderValue::from_str(value) {
                call = call.header(HeaderName::from_static(name), value);
            }
        }
        let answer = self.0.exchange(call).await?;
        if answer.status() == StatusCode::ACCEPTED || answer.body().is_empty() {
            return Ok(None);
        }
        let read = serde_json::from_slice(answer.body());
        read.map(Some).map_err(|error| self.0.unexpected_answer(answer.status(), error))
    }
}
