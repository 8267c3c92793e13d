//! Passwords: argon2id, off the async threads, with equal timing for unknown users.

use std::sync::Arc;

use argon2::password_hash::phc;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use tokio::sync::Semaphore;

use crate::accounts::secrets::PlainSecret;

/// Minimum number of characters.
const SHORTEST: usize = 8;

/// Concurrent hashes. Each takes 19 MiB, so that a flood of sign-ins cannot exhaust the memory.
const AT_ONCE: usize = 4;

/// The password has too few characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the password has fewer than {SHORTEST} characters; choose a longer one")]
pub struct PasswordLengthError;

/// Hashing failed; the caller can only report it.
#[derive(Debug, thiserror::Error)]
#[error("the password could not be hashed: {0}")]
pub struct HashingError(String);

/// The stored form of a password: a PHC string with its parameters and salt.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(String);

impl PasswordHash {
    /// Wraps a stored hash.
    pub fn from_text(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The hash in its stored form.
    pub fn as_text(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for PasswordHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// Hashes and verifies passwords; cheap to clone, one per server.
#[derive(Debug, Clone)]
pub struct PasswordChecker {
    permits: Arc<Semaphore>,
    /// Verified when the user does not exist, so that an unknown name takes as long as a wrong password.
    decoy: PasswordHash,
}

impl PasswordChecker {
    /// Creates the service; computes the decoy hash for unknown users.
    pub async fn new() -> Result<Self, HashingError> {
        let decoy = on_blocking_pool(|| hash_now(b"the password of an unknown user")).await?;
        let permits = Arc::new(Semaphore::new(AT_ONCE));
        Ok(Self { permits, decoy })
    }

    /// Checks whether a new password is acceptable.
    pub fn check(password: &PlainSecret) -> Result<(), PasswordLengthError> {
        if password.expose().chars().count() < SHORTEST {
            return Err(PasswordLengthError);
        }
        Ok(())
    }

    /// Computes the hash to store for a password.
    pub async fn hash(&self, password: PlainSecret) -> Result<PasswordHash, HashingError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        on_blocking_pool(move || {
            let _held = permit;
            hash_now(password.expose().as_bytes())
        })
        .await
    }

    /// Whether the password matches the stored hash; `None` stands for an unknown user or a user without a password.
    pub async fn verify(
        &self,
        password: PlainSecret,
        stored: Option<PasswordHash>,
    ) -> Result<bool, HashingError> {
        let exists = stored.is_some();
        let hash = stored.unwrap_or_else(|| self.decoy.clone());
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        let matches = on_blocking_pool(move || {
            let _held = permit;
            verify_now(password.expose().as_bytes(), &hash)
        })
        .await?;
        Ok(matches && exists)
    }
}

async fn on_blocking_pool<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, HashingError> + Send + 'static,
) -> Result<T, HashingError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| HashingError(error.to_string()))?
}

/// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::DEFAULT)
}

fn hash_now(password: &[u8]) -> Result<PasswordHash, HashingError> {
    let mut salt = [0_u8; 16];
    getrandom::fill(&mut salt).map_err(|error| HashingError(error.to_string()))?;
    let hash: phc::PasswordHash = argon2()
        .hash_password_with_salt(password, &salt)
        .map_err(|error| HashingError(error.to_string()))?;
    Ok(PasswordHash(hash.to_string()))
}

fn verify_now(password: &[u8], stored: &PasswordHash) -> Result<bool, HashingError> {
    let hash = phc::PasswordHash::new(&stored.0)
        .map_err(|error| HashingError(format!("the stored hash is damaged: {error}")))?;
    Ok(argon2().verify_password(password, &hash).is_ok())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[tokio::test]
    async fn s_6_the_right_password_and_no_other() {
        let passwords = PasswordChecker::new().await.expect("hashing works");
        let right = PlainSecret::new("correct horse");
        let stored = passwords.hash(right.clone()).await.expect("a hash");
        assert!(stored.as_text().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        let verify = |password, stored| passwords.verify(password, stored);
        assert!(verify(right.clone(), Some(stored.clone())).await.expect("verified"));
        let wrong = PlainSecret::new("correct horsf");
        assert!(!verify(wrong, Some(stored.clone())).await.expect("verified"));
        let again = passwords.hash(right).await.expect("a hash");
        assert_ne!(stored, again, "each hash has its own salt");
    }

    #[tokio::test]
    async fn s_6_an_unknown_user_cannot_sign_in_even_with_the_decoy_password() {
        let passwords = PasswordChecker::new().await.expect("hashing works");
        let decoys = PlainSecret::new("the password of an unknown user");
        assert!(!passwords.verify(decoys, None).await.expect("verified"));
    }

    #[tokio::test]
    async fn a_damaged_hash_is_an_error_and_not_a_wrong_password() {
        let passwords = PasswordChecker::new().await.expect("hashing works");
        let damaged = Some(PasswordHash::from_text("$argon2id$"));
        assert!(passwords.verify(PlainSecret::new("x"), damaged).await.is_err());
    }

    #[test]
    fn short_passwords_are_refused_by_characters_not_bytes() {
        assert_eq!(PasswordChecker::check(&PlainSecret::new("ääääää")), Err(PasswordLengthError));
        assert_eq!(PasswordChecker::check(&PlainSecret::new("ääääääää")), Ok(()));
    }
}
