//! The answer to a request.

use http::HeaderMap;
use serde_json::Value;

/// An answer, read to its end.
#[derive(Debug)]
pub struct HttpAnswer {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
}

impl HttpAnswer {
    /// The body as JSON; `null` if it is empty.
    pub fn json(&self) -> Value {
        if self.text.is_empty() {
            return Value::Null;
        }
        serde_json::from_str(&self.text).unwrap_or(Value::String(self.text.clone()))
    }

    /// The text of a header; empty if it is missing.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value.map_or("", |value| value.to_str().expect("a header of text"))
    }

    /// Asserts an error of the documented shape with this code; returns its details.
    pub fn failed_with(&self, status: u16, code: &str) -> Value {
        let body = self.json();
        let found = (self.status, body["code"].as_str());
        assert_eq!(found, (status, Some(code)), "{body}");
        let message = body["message"].as_str().unwrap_or_default();
        assert!(!message.is_empty(), "{body}");
        assert_eq!(body["request_id"], self.header("x-request-id"));
        body["details"].clone()
    }
}
