//! Encrypted storage of tokens: the key lies in the data directory, not in the database, so that neither alone reveals
//! a token.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use forge_git::AccessToken;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

const KEY_BYTES: usize = 32;

/// The key file. It is created when the first token is encrypted.
#[derive(Debug, Clone)]
pub(crate) struct TokenSeal(PathBuf);

/// Why a token cannot be encrypted or decrypted.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TokenSealError {
    /// The key file is unusable.
    #[error("the key of stored tokens, {}, cannot be used: {problem}", path.display())]
    Key { path: PathBuf, problem: String },
    /// Encrypted with another key, or for another repository.
    #[error("the stored token was sealed with another key; give the token again")]
    Broken,
}

#[derive(Serialize, Deserialize)]
struct SealedTokenContent {
    name: String,
    secret: String,
}

impl TokenSeal {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Encrypts a token for one owner.
    pub(crate) fn encrypt(
        &self,
        owner: &str,
        token: &AccessToken,
    ) -> Result<String, TokenSealError> {
        let content =
            SealedTokenContent { name: token.name().to_owned(), secret: token.secret().to_owned() };
        let mut bytes = serde_json::to_vec(&content).map_err(|_| TokenSealError::Broken)?;
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|error| self.unusable(error.to_string()))?;
        let key = self.key()?;
        let sealed = key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(owner.as_bytes()),
            &mut bytes,
        );
        sealed.map_err(|_| TokenSealError::Broken)?;
        Ok(STANDARD.encode([nonce.as_slice(), &bytes].concat()))
    }

    /// Decrypts a token of that owner.
    pub(crate) fn decrypt(&self, owner: &str, sealed: &str) -> Result<AccessToken, TokenSealError> {
        let sealed = STANDARD.decode(sealed).map_err(|_| TokenSealError::Broken)?;
        let (nonce, bytes) =
            sealed.split_first_chunk::<NONCE_LEN>().ok_or(TokenSealError::Broken)?;
        let (nonce, mut bytes) = (Nonce::assume_unique_for_key(*nonce), bytes.to_vec());
        let opened = self.key()?.open_in_place(nonce, Aad::from(owner.as_bytes()), &mut bytes);
        let opened = opened.map_err(|_| TokenSealError::Broken)?;
        let content: SealedTokenContent =
            serde_json::from_slice(opened).map_err(|_| TokenSealError::Broken)?;
        AccessToken::new(content.secret, Some(content.name)).map_err(|_| TokenSealError::Broken)
    }

    fn key(&self) -> Result<LessSafeKey, TokenSealError> {
        let unusable = |error: std::io::Error| self.unusable(error.to_string());
        let bytes = match std::fs::read(&self.0) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                self.create_key().map_err(unusable)?
            }
            found => found.map_err(unusable)?,
        };
        let key = UnboundKey::new(&CHACHA20_POLY1305, &bytes);
        let key = key.map_err(|_| self.unusable(format!("it has no {KEY_BYTES} bytes")))?;
        Ok(LessSafeKey::new(key))
    }

    /// Creates the key atomically: a partial key would lock out everything encrypted later.
    fn create_key(&self) -> std::io::Result<Vec<u8>> {
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key).map_err(std::io::Error::other)?;
        let fresh = self.0.with_extension("new");
        let mut options = OpenOptions::new();
        let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
        file.write_all(&key)?;
        file.sync_all()?;
        match std::fs::hard_link(&fresh, &self.0) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ => std::fs::remove_file(&fresh)?,
        }
        std::fs::read(&self.0)
    }

    fn unusable(&self, problem: String) -> TokenSealError {
        TokenSealError::Key { path: self.0.clone(), problem }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn m_15_a_token_at_rest_opens_only_for_its_owner_with_its_key() {
        let home = tempfile::tempdir().unwrap();
        let seal = TokenSeal::new(home.path().join("token.key"));
        let token = AccessToken::new("hunter22", Some("me".to_owned())).unwrap();
        let sealed = seal.encrypt("one", &token).unwrap();
        assert!(!sealed.contains("hunter22"));
        assert_ne!(sealed, seal.encrypt("one", &token).unwrap());
        assert_eq!(
            TokenSeal::new(home.path().join("token.key")).decrypt("one", &sealed).unwrap(),
            token
        );
        assert!(matches!(seal.decrypt("two", &sealed), Err(TokenSealError::Broken)));
        assert!(matches!(seal.decrypt("one", "AAAA"), Err(TokenSealError::Broken)));
        let mode = std::fs::metadata(home.path().join("token.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::remove_file(home.path().join("token.key")).unwrap();
        assert!(matches!(seal.decrypt("one", &sealed), Err(TokenSealError::Broken)));
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
    }
}
