use std::ffi::OsString;
use std::fmt;

/// The user name that goes with a token over https. Most hosts ignore it; GitHub documents this one.
const DEFAULT_USER_NAME: &str = "x-access-token";
const REDACTED: &str = "***";

/// How the server authenticates at a remote repository.
#[derive(Debug, Clone, Default)]
pub enum RemoteCredentials {
    /// Without any credentials.
    #[default]
    Anonymous,
    /// With a token or password, over http or https.
    Token(AccessToken),
    /// With the ssh agent that listens on this socket (the value of `SSH_AUTH_SOCK`).
    SshAgent(OsString),
}

/// A token or password. It is never printed, and it reaches git only through a pipe (M-15).
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken {
    name: String,
    secret: String,
}

/// The error for a text that cannot be a token. The error does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a token or its user name is one line of at most 4000 visible characters; check what was pasted"
)]
pub struct AccessTokenError;

impl AccessToken {
    /// Checks a token, and its user name where the host requires a specific one.
    pub fn new(secret: impl Into<String>, name: Option<String>) -> Result<Self, AccessTokenError> {
        let (secret, name) = (secret.into(), name.unwrap_or_else(|| DEFAULT_USER_NAME.to_owned()));
        let fits = |text: &str| {
            (1..=4000).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
        };
        // The credential helper puts the name between quotes.
        let plain = |symbol: char| symbol.is_ascii_alphanumeric() || "._-@+".contains(symbol);
        if fits(&secret) && fits(&name) && name.chars().all(plain) {
            Ok(Self { name, secret })
        } else {
            Err(AccessTokenError)
        }
    }

    /// The user name that goes with the token.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The secret itself, to be stored or used.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// The input of the credential helper: one line for each time git may ask.
    pub(crate) fn helper_input(&self) -> Vec<u8> {
        format!("{0}\n{0}\n{0}\n", self.secret).into_bytes()
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Token").field("name", &self.name).finish_non_exhaustive()
    }
}

impl RemoteCredentials {
    /// Removes the secret from a text of the remote host, because a host may repeat what it received.
    pub(crate) fn redact(&self, text: &str) -> String {
        match self {
            Self::Token(token) => {
                let pair = base64(format!("{}:{}", token.name, token.secret).as_bytes());
                text.replace(&token.secret, REDACTED).replace(pair.trim_end_matches('='), REDACTED)
            }
            Self::Anonymous | Self::SshAgent(_) => text.to_owned(),
        }
    }
}

/// Encodes as basic authentication does.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let group = (0..3).fold(0_usize, |group, place| {
            group << 8 | usize::from(chunk.get(place).copied().unwrap_or_default())
        });
        for place in 0..=chunk.len() {
            let digit = DIGITS.get(group >> (18 - 6 * place) & 63);
            text.push(digit.copied().map_or('=', char::from));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn m_15_a_token_is_never_shown_even_when_a_host_repeats_it() {
        let token = AccessToken::new("hunter22", Some("me".to_owned())).expect("a token");
        let access = RemoteCredentials::Token(token);
        assert!(!format!("{access:?}").contains("hunter22"));
        assert_eq!(base64(b"me:hunter22"), "bWU6aHVudGVyMjI");
        let said = access.redact("you sent hunter22, that is Basic bWU6aHVudGVyMjI=");
        assert_eq!(said, "you sent ***, that is Basic ***=");
        for bad in ["", "two words", "two\nlines", "ümlaut"] {
            assert_eq!(AccessToken::new(bad, None), Err(AccessTokenError));
            assert_eq!(AccessToken::new("good", Some(format!("'{bad}"))), Err(AccessTokenError));
        }
    }
}
