//! The host names that the server answers for.

use std::collections::BTreeSet;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use forge_api::ErrorCode;
use http::header::HOST;
use http::uri::Authority;
use serde_json::json;

use crate::error::api_error::ApiError;

/// The closed list of names in a Host header.
///
/// A web page can point its own name at this machine (DNS rebinding) and then talk to the server as "the same site";
/// its requests still contain that name. Ports are not compared: they prove nothing, and tunnels change them.
#[derive(Debug, Clone)]
pub struct AllowedHosts {
    names: Arc<BTreeSet<String>>,
    any_address: bool,
}

impl AllowedHosts {
    /// The loopback names, the bound address, and the names in the settings. If the server is bound to all addresses,
    /// every literal address is allowed: rebinding needs a name.
    pub fn new(bound: SocketAddr, public: impl IntoIterator<Item = String>) -> Self {
        let mut names: BTreeSet<String> =
            ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into_iter().collect();
        names.insert(bound.ip().to_string());
        names.extend(public.into_iter().map(|host| normalize_host(&host)));
        Self { names: Arc::new(names), any_address: bound.ip().is_unspecified() }
    }

    /// Whether a request to this authority (`host` or `host:port`) is for this server.
    pub fn allow(&self, authority: &str) -> bool {
        let Ok(authority) = authority.parse::<Authority>() else {
            return false;
        };
        // `user@host` is not a Host header, and a name before the `@` misleads readers of a log.
        if authority.as_str().contains('@') {
            return false;
        }
        let host = normalize_host(authority.host());
        let is_address = || host.parse::<IpAddr>().is_ok();
        self.names.contains(&host) || (self.any_address && is_address())
    }
}

/// Removes case, brackets and the root dot, which do not change the host.
fn normalize_host(host: &str) -> String {
    host.trim()
        .trim_start_matches('[')
        .trim_end_matches(']')
        .trim_end_matches('.')
        .to_ascii_lowercase()
}

/// Refuses requests for other hosts.
pub(crate) async fn check_host(
    State(hosts): State<AllowedHosts>,
    request: Request,
    next: Next,
) -> Response {
    let mut named = request.headers().get_all(HOST).iter();
    let header = named.next().and_then(|value| value.to_str().ok());
    let is_single = named.next().is_none();
    // A request line with a full URL overrides the header, so check both.
    let target = request.uri().authority().map(Authority::as_str);
    let allowed = is_single
        && header.or(target).is_some()
        && [header, target].iter().flatten().all(|name| hosts.allow(name));
    if allowed {
        return next.run(request).await;
    }
    let host = header.or(target);
    ApiError::from_code(ErrorCode::HostRefused)
        .with_details(json!({ "host": host }))
        .into_response()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    fn hosts(bound: &str) -> AllowedHosts {
        let bound = bound.parse().expect("an address");
        AllowedHosts::new(bound, ["Forge.Example.com".to_owned()])
    }

    #[test]
    fn s_6_only_allowed_hosts_are_answered() {
        let hosts = hosts("192.168.1.7:8080");
        for ours in [
            "localhost",
            "LOCALHOST:1",
            "127.0.0.1:8080",
            "[::1]:8080",
            "192.168.1.7:8080",
            "forge.example.com.",
        ] {
            assert!(hosts.allow(ours), "{ours}");
        }
        for other in [
            "evil.example",
            "localhost.evil.example",
            "127.0.0.1.evil.example:8080",
            "localhost@evil.example",
            "evil.example@localhost",
            "192.168.1.8",
            "",
            "a b",
        ] {
            assert!(!hosts.allow(other), "{other}");
        }
    }

    #[test]
    fn s_6_bound_everywhere_any_literal_address_but_no_foreign_name() {
        let hosts = hosts("0.0.0.0:8080");
        assert!(hosts.allow("10.0.0.3:8080"));
        assert!(hosts.allow("[fe80::1]:8080"));
        assert!(!hosts.allow("evil.example:8080"));
    }
}
