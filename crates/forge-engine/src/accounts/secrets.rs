//! Secrets that are shown once and stored only as hashes.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Prefix of bearer tokens, so that people and secret scanners recognise them.
const TOKEN_PREFIX: &str = "fg_";

/// The operating system provided no random bytes.
#[derive(Debug, thiserror::Error)]
#[error("the operating system provided no random bytes: {0}; Forge needs them to create secrets")]
pub struct RandomnessError(getrandom::Error);

/// A password, token or one-time code in plain text, hidden in debug output.
#[derive(Clone, PartialEq, Eq)]
pub struct PlainSecret(String);

impl PlainSecret {
    /// Wraps a secret value.
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// Creates a secret of 256 random bits, in characters that need no quoting anywhere.
    pub fn generate() -> Result<Self, RandomnessError> {
        fresh_code()
    }

    /// The secret value; the name makes each use easy to find.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PlainSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlainSecret(…)")
    }
}

/// Creates a bearer token: `fg_` and 256 random bits in 43 characters that need no quoting anywhere.
pub(crate) fn fresh_token() -> Result<PlainSecret, RandomnessError> {
    Ok(PlainSecret::new(format!("{TOKEN_PREFIX}{}", random_text()?)))
}

/// Creates a secret without a prefix, for cookies and links.
pub(crate) fn fresh_code() -> Result<PlainSecret, RandomnessError> {
    Ok(PlainSecret::new(random_text()?))
}

fn random_text() -> Result<String, RandomnessError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(RandomnessError)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// The stored form of a secret. These secrets are random, so one SHA-256 is enough; passwords are not and have their
/// own [slow hash](crate::PasswordHash).
#[derive(Clone, Copy)]
pub struct SecretHash([u8; 32]);

impl SecretHash {
    /// Computes the hash of a secret.
    pub fn of(secret: &str) -> Self {
        Self(Sha256::digest(secret).into())
    }

    /// The bytes of the hash, as a key.
    pub fn bytes(self) -> [u8; 32] {
        self.0
    }

    /// The stored form of the hash: 43 characters.
    pub fn to_text(self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Parses a stored hash; `None` if the text is not a hash.
    pub fn from_text(text: &str) -> Option<Self> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        bytes.try_into().ok().map(Self)
    }
}

/// Compares in constant time, so that the duration does not reveal how much was right.
impl PartialEq for SecretHash {
    fn eq(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

impl Eq for SecretHash {}

impl fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretHash(…)")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn s_6_tokens_are_prefixed_long_and_never_the_same() {
        let (one, other) = (fresh_token().expect("random"), fresh_token().expect("random"));
        assert_ne!(one, other);
        let text = one.expose().strip_prefix("fg_").expect("the prefix");
        assert_eq!(text.len(), 43);
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        assert!(text.chars().all(plain));
    }

    #[test]
    fn s_6_only_the_hash_is_stored_and_it_finds_its_secret() {
        let token = fresh_token().expect("random");
        let stored = SecretHash::of(token.expose()).to_text();
        assert!(!stored.contains(token.expose()));
        assert_eq!(SecretHash::from_text(&stored), Some(SecretHash::of(token.expose())));
        let other = SecretHash::of(fresh_token().expect("random").expose());
        assert_ne!(SecretHash::from_text(&stored), Some(other));
        assert_eq!(SecretHash::from_text("short"), None);
    }
}
