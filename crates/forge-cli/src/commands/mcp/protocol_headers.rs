//! The headers that repeat parts of a message, as the protocol demands over HTTP.

use std::sync::{Mutex, PoisonError};

use serde_json::Value;

const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";
/// The first revision whose requests carry the headers `Mcp-Method` and `Mcp-Name`.
const FIRST_WITH_NAMES: &str = "2026-07-28";

/// The revision that a handshake has negotiated; later revisions name theirs in each message.
#[derive(Debug, Default)]
pub(super) struct NegotiatedVersion(Mutex<Option<String>>);

impl NegotiatedVersion {
    /// Remembers the revision in the answer to a handshake.
    pub(super) fn remember(&self, answer: &Value) {
        if let Some(version) = answer["result"]["protocolVersion"].as_str() {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(version.to_owned());
        }
    }

    /// The headers of a message.
    pub(super) fn headers(&self, message: &Value) -> Vec<(&'static str, String)> {
        let method = message["method"].as_str().unwrap_or_default();
        let params = &message["params"];
        let own = params["_meta"][VERSION_KEY].as_str().map(str::to_owned);
        let agreed = || self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let version = own.or_else(|| agreed().filter(|_| method != "initialize"));
        let Some(version) = version else { return Vec::new() };
        let mut headers = Vec::new();
        if version.as_str() >= FIRST_WITH_NAMES {
            headers.push(("mcp-method", method.to_owned()));
            let name = match method {
                "tools/call" | "prompts/get" => params["name"].as_str(),
                "resources/read" => params["uri"].as_str(),
                _ => None,
            };
            headers.extend(name.map(|name| ("mcp-name", name.to_owned())));
        }
        headers.push(("mcp-protocol-version", version));
        headers
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn s_3_headers_repeat_the_message_of_each_era() {
        let version = NegotiatedVersion::default();
        let old = json!({ "method": "tools/call", "params": { "name": "forge_read" } });
        assert_eq!(version.headers(&old), []);
        version.remember(&json!({ "result": { "protocolVersion": "2025-11-25" } }));
        assert_eq!(version.headers(&old), [("mcp-protocol-version", "2025-11-25".to_owned())]);
        assert_eq!(version.headers(&json!({ "method": "initialize" })), []);
        let meta = json!({ VERSION_KEY: "2026-07-28" });
        let new = json!({
            "method": "resources/read", "params": { "uri": "forge://task/T-1", "_meta": meta },
        });
        assert_eq!(
            version.headers(&new),
            [
                ("mcp-method", "resources/read".to_owned()),
                ("mcp-name", "forge://task/T-1".to_owned()),
                ("mcp-protocol-version", "2026-07-28".to_owned()),
            ]
        );
    }
}
