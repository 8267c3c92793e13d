//! URLs of webhooks, and the addresses that they may resolve to (S-6).

use crate::admin::boundary::PrivateAddresses;
use crate::command::errors::EngineError;
use crate::remote::RemoteSettings;
use http::Uri;
use http::uri::Scheme;
use std::net::SocketAddr;

const LONGEST_URL: usize = 2_000;

/// The parsed URL of a webhook.
#[derive(Debug, Clone)]
pub(crate) struct WebhookUrl {
    uri: Uri,
    host: String,
    port: u16,
    is_https: bool,
}

/// Why a URL is not contacted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WebhookUrlError {
    /// The text is not the URL of a webhook.
    #[error("{0}")]
    Invalid(&'static str),
    /// The name has no address.
    #[error("the host {host} cannot be resolved: {error}; check its name")]
    Unresolved { host: String, error: String },
    /// An address is private and not allowed.
    #[error(
        "{0} has a private, loopback or link-local address; an admin can allow it with --private-hosts {0} \
         (FORGE_PRIVATE_HOSTS)"
    )]
    Private(String),
    /// Not encrypted, over a public network.
    #[error(
        "http is only allowed for hosts that --private-hosts names (FORGE_PRIVATE_HOSTS); use https for {0}"
    )]
    Unencrypted(String),
}

impl From<WebhookUrlError> for EngineError {
    fn from(refusal: WebhookUrlError) -> Self {
        match refusal {
            WebhookUrlError::Private(host) => Self::AddressNotAllowed { host },
            other => Self::InvalidField { field: "url", problem: other.to_string() },
        }
    }
}

impl WebhookUrl {
    /// Parses an absolute `https` or `http` URL without a user name.
    pub(crate) fn parse(text: &str) -> Result<Self, WebhookUrlError> {
        const SHAPE: &str = "a webhook needs a URL such as https://example.org/hooks/forge, of at most 2000 characters";
        let invalid = || WebhookUrlError::Invalid(SHAPE);
        if text.len() > LONGEST_URL || text.contains('#') {
            return Err(invalid());
        }
        let uri: Uri = text.parse().map_err(|_| invalid())?;
        let is_https = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            Some(scheme) if *scheme == Scheme::HTTP => false,
            _ => return Err(invalid()),
        };
        let authority = uri.authority().ok_or_else(invalid)?;
        if authority.as_str().contains('@') {
            let problem = "a user name or password in a URL would be shown to every member; use the secret to verify deliveries";
            return Err(WebhookUrlError::Invalid(problem));
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        if host.is_empty() {
            return Err(invalid());
        }
        let port = authority.port_u16().unwrap_or(if is_https { 443 } else { 80 });
        Ok(Self { uri, host, port, is_https })
    }

    pub(crate) fn uri(&self) -> &Uri {
        &self.uri
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    pub(crate) fn is_https(&self) -> bool {
        self.is_https
    }

    /// Resolves the host. Refuses all its addresses if one of them is private and not allowed, or if the URL is not
    /// encrypted and the settings do not name the host.
    pub(crate) async fn resolve(
        &self,
        settings: &RemoteSettings,
    ) -> Result<Vec<SocketAddr>, WebhookUrlError> {
        let found = settings.resolver.resolve(&self.host, self.port).await;
        let found = found.map_err(|error| error.to_string());
        let found = match found {
            Ok(found) if found.is_empty() => Err("it has no address".to_owned()),
            found => found,
        };
        let found = found
            .map_err(|error| WebhookUrlError::Unresolved { host: self.host.clone(), error })?;
        let rules = &settings.private_addresses;
        self.check_addresses(rules, &found)?;
        Ok(found)
    }

    fn check_addresses(
        &self,
        rules: &PrivateAddresses,
        found: &[SocketAddr],
    ) -> Result<(), WebhookUrlError> {
        let all =
            |allows: &dyn Fn(SocketAddr) -> bool| found.iter().all(|address| allows(*address));
        if !all(&|address| rules.allows(&self.host, address.ip())) {
            return Err(WebhookUrlError::Private(self.host.clone()));
        }
        if !self.is_https && !all(&|address| rules.names(&self.host, address.ip())) {
            return Err(WebhookUrlError::Unencrypted(self.host.clone()));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn check(url: &str, rules: &[&str], addresses: &[&str]) -> Result<(), WebhookUrlError> {
        let url = WebhookUrl::parse(url)?;
        let rules =
            PrivateAddresses::Only(rules.iter().map(|rule| rule.parse().unwrap()).collect());
        let addresses: Vec<SocketAddr> = addresses
            .iter()
            .map(|address| SocketAddr::new(address.parse().unwrap(), url.port))
            .collect();
        url.check_addresses(&rules, &addresses)
    }

    #[test]
    fn s_6_a_url_has_https_and_no_password() {
        for wrong in [
            "",
            "example.org",
            "ftp://example.org/",
            "https://",
            "https:///path",
            "file:///etc/passwd",
            "https://me:secret@example.org/",
            "https://example.org/#x",
            "https://exa mple.org/",
        ] {
            assert!(
                matches!(WebhookUrl::parse(wrong), Err(WebhookUrlError::Invalid(_))),
                "{wrong}"
            );
        }
        let parsed = WebhookUrl::parse("https://[2606:4700::1]:8443/x?y=1").unwrap();
        assert_eq!((parsed.host(), parsed.port, parsed.is_https()), ("2606:4700::1", 8443, true));
        assert_eq!(WebhookUrl::parse("http://example.org").unwrap().port, 80);
    }

    #[test]
    fn s_6_one_private_address_refuses_the_host_and_http_needs_a_named_host() {
        let (public, private) = ("140.82.121.4", "10.1.2.3");
        assert!(check("https://example.org/", &[], &[public]).is_ok());
        for addresses in [&[private][..], &[public, private]] {
            let refused = check("https://example.org/", &[], addresses);
            assert!(matches!(refused, Err(WebhookUrlError::Private(_))), "{addresses:?}");
        }
        assert!(check("https://example.org/", &["10.0.0.0/8"], &[public, private]).is_ok());
        let refused = check("http://example.org/", &[], &[public]);
        assert!(matches!(refused, Err(WebhookUrlError::Unencrypted(_))));
        let refused = check("http://example.org/", &["10.0.0.0/8"], &[public, private]);
        assert!(matches!(refused, Err(WebhookUrlError::Unencrypted(_))));
        assert!(check("http://example.org/", &["10.0.0.0/8"], &[private]).is_ok());
        assert!(check("http://hooks.lan/", &["hooks.lan"], &[private, public]).is_ok());
    }
}
