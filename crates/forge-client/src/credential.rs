//! The credential of the client.

use forge_api::SecretString;
use http::HeaderValue;
use http::header::{AUTHORIZATION, COOKIE, HeaderName};

use crate::error::ClientError;

/// The authentication header, built once.
#[derive(Clone)]
pub(crate) struct ClientCredential {
    name: HeaderName,
    value: HeaderValue,
}

impl ClientCredential {
    /// Builds the header of a bearer token.
    pub(crate) fn token(token: &SecretString) -> Result<Self, ClientError> {
        let usable = !token.expose().is_empty()
            && token.expose().bytes().all(|byte| byte.is_ascii_graphic());
        let text = format!("Bearer {}", token.expose());
        let value = HeaderValue::from_str(&text).ok().filter(|_| usable);
        Self::hidden(AUTHORIZATION, value)
    }

    /// Builds the header of a session cookie, as the server set it.
    pub(crate) fn session(set_cookie: &HeaderValue) -> Result<Self, ClientError> {
        let pair = set_cookie.to_str().ok().and_then(|text| text.split(';').next());
        let value = pair.and_then(|pair| HeaderValue::from_str(pair.trim()).ok());
        Self::hidden(COOKIE, value)
    }

    fn hidden(name: HeaderName, value: Option<HeaderValue>) -> Result<Self, ClientError> {
        let mut value = value.ok_or(ClientError::UnusableToken)?;
        value.set_sensitive(true);
        Ok(Self { name, value })
    }

    pub(crate) fn header(&self) -> (HeaderName, HeaderValue) {
        (self.name.clone(), self.value.clone())
    }
}
