//! Tokens at rest: sealed with a key that lies in the data directory and not in the database, so that a dump, a
//! backup or a reader of the one has nothing without the other.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use forge_git::Token;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

const KEY_BYTES: usize = 32;

/// The key, by its file. It is made when the first token is sealed.
#[derive(Debug)]
pub(crate) struct Seal(PathBuf);

/// A token that cannot be sealed or opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SealError {
    /// The file of the key.
    #[error("the key of stored tokens, {}, cannot be used: {problem}", path.display())]
    Key {
        /// Where.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Sealed with another key, or for another repository.
    #[error("the stored token was sealed with another key; give the token again")]
    Broken,
}

#[derive(Serialize, Deserialize)]
struct Content {
    name: String,
    secret: String,
}

impl Seal {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Seals a token for one owner.
    pub(crate) fn close(&self, owner: &str, token: &Token) -> Result<String, SealError> {
        let content = Content { name: token.name().to_owned(), secret: token.secret().to_owned() };
        let mut bytes = serde_json::to_vec(&content).map_err(|_| SealError::Broken)?;
        let mut nonce = [0; NONCE_LEN];
        getrandom::fill(&mut nonce).map_err(|error| self.unusable(error.to_string()))?;
        let key = self.key()?;
        let sealed = key.seal_in_place_append_tag(
            Nonce::assume_unique_for_key(nonce),
            Aad::from(owner.as_bytes()),
            &mut bytes,
        );
        sealed.map_err(|_| SealError::Broken)?;
        Ok(STANDARD.encode([nonce.as_slice(), &bytes].concat()))
    }

    /// Opens it again.
    pub(crate) fn open(&self, owner: &str, sealed: &str) -> Result<Token, SealError> {
        let sealed = STANDARD.decode(sealed).map_err(|_| SealError::Broken)?;
        let (nonce, bytes) = sealed.split_first_chunk::<NONCE_LEN>().ok_or(SealError::Broken)?;
        let (nonce, mut bytes) = (Nonce::assume_unique_for_key(*nonce), bytes.to_vec());
        let opened = self.key()?.open_in_place(nonce, Aad::from(owner.as_bytes()), &mut bytes);
        let opened = opened.map_err(|_| SealError::Broken)?;
        let content: Content = serde_json::from_slice(opened).map_err(|_| SealError::Broken)?;
        Token::new(content.secret, Some(content.name)).map_err(|_| SealError::Broken)
    }

    fn key(&self) -> Result<LessSafeKey, SealError> {
        let unusable = |error: std::io::Error| self.unusable(error.to_string());
        let bytes = match std::fs::read(&self.0) {
            Err(error) if error.kind() == ErrorKind::NotFound => self.make().map_err(unusable)?,
            found => found.map_err(unusable)?,
        };
        let key = UnboundKey::new(&CHACHA20_POLY1305, &bytes);
        let key = key.map_err(|_| self.unusable(format!("it has no {KEY_BYTES} bytes")))?;
        Ok(LessSafeKey::new(key))
    }

    /// Whole or not at all: a half-written key would shut out everything sealed with it later.
    fn make(&self) -> std::io::Result<Vec<u8>> {
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

    fn unusable(&self, problem: String) -> SealError {
        SealError::Key { path: self.0.clone(), problem }
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
        let seal = Seal::new(home.path().join("token.key"));
        let token = Token::new("hunter22", Some("me".to_owned())).unwrap();
        let sealed = seal.close("one", &token).unwrap();
        assert!(!sealed.contains("hunter22"));
        assert_ne!(sealed, seal.close("one", &token).unwrap());
        assert_eq!(Seal::new(home.path().join("token.key")).open("one", &sealed).unwrap(), token);
        assert!(matches!(seal.open("two", &sealed), Err(SealError::Broken)));
        assert!(matches!(seal.open("one", "AAAA"), Err(SealError::Broken)));
        let mode = std::fs::metadata(home.path().join("token.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::remove_file(home.path().join("token.key")).unwrap();
        assert!(matches!(seal.open("one", &sealed), Err(SealError::Broken)));
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
    }
}
