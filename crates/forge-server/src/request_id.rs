//! The name of one request in answers and in the log.

use std::fmt;

use http::HeaderValue;
use uuid::Uuid;

/// Made here for each request, never taken from what a client sends, so that nobody can forge a log line's owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestId(Uuid);

impl RequestId {
    /// A new one; later ones sort after earlier ones.
    #[expect(
        clippy::disallowed_methods,
        reason = "the id only names a request in the log; no stored state depends on it, so nothing needs replaying"
    )]
    pub(crate) fn fresh() -> Self {
        Self(Uuid::now_v7())
    }

    /// As the value of the `x-request-id` header.
    pub fn header_value(self) -> Option<HeaderValue> {
        HeaderValue::from_str(&self.to_string()).ok()
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
