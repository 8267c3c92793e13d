//! The secret with which programs of the server's own user sign in.

use std::net::IpAddr;

use forge_engine::{PlainSecret, SecretHash};
use http::HeaderMap;

/// Headers of a proxy: with one of them the peer's address says nothing about the sender.
const PROXY_HEADERS: [&str; 4] = ["forwarded", "x-forwarded-for", "x-real-ip", "via"];

/// The credential of this run of the server; `None` inside if it has none, because its files would not be safe.
#[derive(Debug, Clone, Copy, Default)]
pub struct LocalCredential(Option<SecretHash>);

impl LocalCredential {
    pub(crate) fn of(secret: &PlainSecret) -> Self {
        Self(Some(SecretHash::of(secret.expose())))
    }

    /// Whether the secret is this server's.
    pub(crate) fn accepts(self, secret: &str) -> bool {
        self.0.is_some_and(|own| own == SecretHash::of(secret))
    }
}

/// Whether a request comes directly from this machine.
pub(crate) fn is_from_this_machine(peer: IpAddr, headers: &HeaderMap) -> bool {
    peer.to_canonical().is_loopback()
        && !PROXY_HEADERS.iter().any(|name| headers.contains_key(*name))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use http::HeaderValue;

    use super::*;

    #[test]
    fn s_6_the_local_credential_counts_only_directly_from_this_machine() {
        let plain = HeaderMap::new();
        for (peer, is_local) in
            [("127.0.0.1", true), ("::1", true), ("::ffff:127.0.0.1", true), ("10.0.0.1", false)]
        {
            let peer = peer.parse().expect("an address");
            assert_eq!(is_from_this_machine(peer, &plain), is_local, "{peer}");
        }
        let here = "127.0.0.1".parse().expect("an address");
        for name in PROXY_HEADERS {
            let mut proxied = HeaderMap::new();
            proxied.insert(name, HeaderValue::from_static("203.0.113.9"));
            assert!(!is_from_this_machine(here, &proxied), "{name}");
        }
    }

    #[test]
    fn s_6_a_server_without_a_local_credential_accepts_none() {
        assert!(!LocalCredential::default().accepts(""));
        let own = LocalCredential::of(&PlainSecret::new("one"));
        assert!(own.accepts("one") && !own.accepts("other") && !own.accepts(""));
    }
}
