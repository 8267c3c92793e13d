use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use serde_json::json;

/// GitHub accepts a validity of ten minutes at most, and clocks differ.
const BACKDATED_SECONDS: i64 = 60;
const VALID_SECONDS: i64 = 540;

/// The identity of a GitHub App: its number (or client id) and its private key.
#[derive(Clone)]
pub struct AppKey {
    id: String,
    key: Arc<RsaKeyPair>,
}

/// A key that cannot be used. The message contains no part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "this is no RSA private key in PEM form; download one from the App's page on GitHub and name its file"
)]
pub struct AppKeyError;

impl AppKey {
    /// Reads a key in the PEM form that GitHub provides.
    pub fn new(id: impl Into<String>, pem: &str) -> Result<Self, AppKeyError> {
        let body = |label: &str| {
            let (begin, end) =
                (format!("-----BEGIN {label}-----"), format!("-----END {label}-----"));
            let (_, rest) = pem.split_once(&begin)?;
            let (body, _) = rest.split_once(&end)?;
            let digits: String = body.chars().filter(|symbol| !symbol.is_whitespace()).collect();
            STANDARD.decode(digits).ok()
        };
        let key = match (body("RSA PRIVATE KEY"), body("PRIVATE KEY")) {
            (Some(der), _) => RsaKeyPair::from_der(&der),
            (None, Some(der)) => RsaKeyPair::from_pkcs8(&der),
            (None, None) => return Err(AppKeyError),
        };
        Ok(Self { id: id.into(), key: Arc::new(key.map_err(|_| AppKeyError)?) })
    }

    /// Signs a token that identifies the App to GitHub for the next minutes.
    pub(crate) fn sign(&self, now_seconds: i64) -> Result<String, AppKeyError> {
        let part = |value: serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let head = part(json!({ "alg": "RS256", "typ": "JWT" }));
        let claims = part(json!({
            "iat": now_seconds - BACKDATED_SECONDS,
            "exp": now_seconds + VALID_SECONDS,
            "iss": self.id,
        }));
        let signed = format!("{head}.{claims}");
        let mut signature = vec![0; self.key.public().modulus_len()];
        self.key
            .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature)
            .map_err(|_| AppKeyError)?;
        Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
    }
}

impl fmt::Debug for AppKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("AppKey").field("id", &self.id).finish_non_exhaustive()
    }
}
