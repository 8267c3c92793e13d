//! The address of a server.

use std::fmt;
use std::str::FromStr;

use http::Uri;
use http::uri::{Authority, Scheme};
use thiserror::Error;

/// A server's address: scheme, host, port, and the path prefix behind a proxy.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ServerUrl {
    scheme: Scheme,
    authority: Authority,
    /// Path prefix without a slash at the end.
    mount: String,
}

/// A text that is not the address of a server.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ServerUrlError {
    /// The text cannot be parsed.
    #[error("`{0}` is not the address of a server; write it like http://127.0.0.1:8080")]
    Unreadable(String),
    /// The address contains a user name and password. The message leaves out the text on purpose.
    #[error(
        "the server's address holds a user name or password; leave it out and use `forge login`"
    )]
    Secret,
}

impl ServerUrl {
    /// Whether the connection must be encrypted.
    pub fn is_https(&self) -> bool {
        self.scheme == Scheme::HTTPS
    }

    /// The address of a path on the server. `path` starts with a slash and is already encoded.
    pub(crate) fn join(&self, path: &str) -> Result<Uri, http::Error> {
        Uri::builder()
            .scheme(self.scheme.clone())
            .authority(self.authority.clone())
            .path_and_query(format!("{}{path}", self.mount))
            .build()
    }
}

impl FromStr for ServerUrl {
    type Err = ServerUrlError;

    fn from_str(text: &str) -> Result<Self, ServerUrlError> {
        let unreadable = || ServerUrlError::Unreadable(text.to_owned());
        if text.split(['/', '?', '#']).nth(2).is_some_and(|authority| authority.contains('@')) {
            return Err(ServerUrlError::Secret);
        }
        let parts = text.parse::<Uri>().map_err(|_| unreadable())?.into_parts();
        let scheme = parts
            .scheme
            .filter(|scheme| *scheme == Scheme::HTTP || *scheme == Scheme::HTTPS)
            .ok_or_else(unreadable)?;
        let authority = parts
            .authority
            .filter(|authority| !authority.host().is_empty())
            .ok_or_else(unreadable)?;
        if authority.as_str().contains('@') {
            return Err(ServerUrlError::Secret);
        }
        let path = parts.path_and_query.ok_or_else(unreadable)?;
        if path.query().is_some() {
            return Err(unreadable());
        }
        let mount = path.path().trim_end_matches('/').to_owned();
        Ok(Self { scheme, authority, mount })
    }
}

impl fmt::Display for ServerUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}{}", self.scheme, self.authority, self.mount)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn addresses_are_read_and_written() {
        for (text, shown, https) in [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", false),
            ("http://localhost:1/", "http://localhost:1", false),
            ("https://forge.example/team//", "https://forge.example/team", true),
            ("http://[::1]:8080", "http://[::1]:8080", false),
        ] {
            let url: ServerUrl = text.parse().expect(text);
            assert_eq!(url.to_string(), shown);
            assert_eq!(url.is_https(), https);
        }
        let url: ServerUrl = "https://forge.example/team/".parse().expect("an address");
        let joined = url.join("/api/v1/tasks?limit=1").expect("an address");
        assert_eq!(joined, "https://forge.example/team/api/v1/tasks?limit=1");
    }

    #[test]
    fn s_6_an_address_with_a_password_is_refused_without_repeating_it() {
        for text in ["http://ann:hunter2@host:1/", "https://hunter2@host", "ftp://a:hunter2@b"] {
            let refused = text.parse::<ServerUrl>().expect_err("a secret in an address");
            assert_eq!(refused, ServerUrlError::Secret, "{text}");
            assert!(!refused.to_string().contains("hunter2"));
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "127.0.0.1:8080",
            "localhost",
            "ftp://a",
            "http://",
            "http://a b",
            "http://a/?x=1",
            "-x",
        ] {
            assert!(text.parse::<ServerUrl>().is_err(), "{text}");
        }
    }
}
