//! The cookie of a browser session.

use std::time::Duration;

use forge_api::SecretString;
use http::header::COOKIE;
use http::{HeaderMap, HeaderValue};

const NAME: &str = "forge_session";
const LONGEST: usize = 128;

/// Writes and reads the session cookie. Scripts cannot read it, other sites cannot send it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionCookie {
    /// Whether the server is reached by https, so that the cookie must never be sent without it.
    pub secure: bool,
}

impl SessionCookie {
    /// The `Set-Cookie` value that starts a session; `None` if the secret has characters that a cookie cannot hold.
    pub fn start(self, secret: &SecretString, lasts: Duration) -> Option<HeaderValue> {
        if !is_cookie_value(secret.expose()) {
            return None;
        }
        self.header(secret.expose(), lasts.as_secs())
    }

    /// The `Set-Cookie` value that ends the session.
    pub fn end(self) -> Option<HeaderValue> {
        self.header("", 0)
    }

    fn header(self, value: &str, seconds: u64) -> Option<HeaderValue> {
        let secure = if self.secure { "; Secure" } else { "" };
        let text =
            format!("{NAME}={value}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}");
        let mut header = HeaderValue::from_str(&text).ok()?;
        header.set_sensitive(true);
        Some(header)
    }

    /// Reads the session secret of a request.
    pub fn read(headers: &HeaderMap) -> Option<SecretString> {
        headers
            .get_all(COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .find(|(name, value)| *name == NAME && is_cookie_value(value))
            .map(|(_, value)| SecretString::new(value))
    }
}

fn is_cookie_value(value: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=LONGEST).contains(&value.len()) && value.chars().all(plain)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn s_6_the_cookie_is_http_only_strict_and_secure_by_https() {
        let start = |secure| {
            let cookie = SessionCookie { secure };
            let header = cookie.start(&SecretString::new("abc"), Duration::from_secs(60));
            let header = header.expect("a header");
            assert!(header.is_sensitive());
            header.to_str().expect("text").to_owned()
        };
        let plain = "forge_session=abc; HttpOnly; SameSite=Strict; Path=/; Max-Age=60";
        assert_eq!(start(false), plain);
        assert_eq!(start(true), format!("{plain}; Secure"));
        let end = SessionCookie { secure: false }.end().expect("a header");
        assert!(end.to_str().expect("text").ends_with("Max-Age=0"));
    }

    #[test]
    fn s_6_the_session_cookie_is_read_among_other_cookies() {
        let secret = SecretString::new("wJ3-x_9Zq0");
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("theme=dark; forge_session="));
        let ours = format!("a=b; forge_session={}", secret.expose());
        headers.append(COOKIE, HeaderValue::from_str(&ours).expect("a header"));
        assert_eq!(SessionCookie::read(&headers), Some(secret));
        assert_eq!(SessionCookie::read(&HeaderMap::new()), None);
    }

    #[test]
    fn a_value_that_would_add_attributes_is_refused() {
        let cookie = SessionCookie { secure: true };
        let forged = SecretString::new("x; Domain=evil.example");
        assert_eq!(cookie.start(&forged, Duration::from_secs(1)), None);
    }
}
