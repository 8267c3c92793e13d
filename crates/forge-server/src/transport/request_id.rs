//! The identifier of a request in answers and in the log.

use std::fmt;

use http::HeaderValue;
use uuid::Uuid;

/// Created by the server for each request and never taken from the client, so that a client cannot forge log entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestId(Uuid);

impl RequestId {
    /// Creates a new id; later ids sort after earlier ones.
    #[expect(
        clippy::disallowed_methods,
        reason = "the id only identifies a request in the log; no stored state depends on it, so a replay does not need it"
    )]
    pub(crate) fn fresh() -> Self {
        Self(Uuid::now_v7())
    }

    /// The value of the `x-request-id` header.
    pub fn header_value(self) -> Option<HeaderValue> {
        HeaderValue::from_str(&self.to_string()).ok()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
