use std::ffi::OsString;
use std::fmt;

/// Over https the name beside a token means nothing to the usual hosts; this is the one GitHub documents.
const USUAL_NAME: &str = "x-access-token";
const HIDDEN: &str = "***";

/// How we show a repository elsewhere who we are.
#[derive(Debug, Clone, Default)]
pub enum Access {
    /// Not at all.
    #[default]
    Open,
    /// By a token or password, over http or https.
    Token(Token),
    /// By the ssh agent that listens here (the value of `SSH_AUTH_SOCK`).
    Agent(OsString),
}

/// A token or password. It is never shown, and reaches git by a pipe only (M-15).
#[derive(Clone, PartialEq, Eq)]
pub struct Token {
    name: String,
    secret: String,
}

/// Something that cannot be a token. It is not repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "a token or its user name is one line of at most 4000 visible characters; check what was pasted"
)]
pub struct TokenError;

impl Token {
    /// Checks a token, and the user name it goes with where the host wants a certain one.
    pub fn new(secret: impl Into<String>, name: Option<String>) -> Result<Self, TokenError> {
        let (secret, name) = (secret.into(), name.unwrap_or_else(|| USUAL_NAME.to_owned()));
        let fits = |text: &str| {
            (1..=4000).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
        };
        // The helper writes the name between quotes.
        let plain = |symbol: char| symbol.is_ascii_alphanumeric() || "._-@+".contains(symbol);
        if fits(&secret) && fits(&name) && name.chars().all(plain) {
            Ok(Self { name, secret })
        } else {
            Err(TokenError)
        }
    }

    /// The user name it goes with.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The token itself, for whoever stores or uses it.
    pub fn secret(&self) -> &str {
        &self.secret
    }

    /// What a pipe to git holds: a line for each time it may be asked.
    pub(crate) fn lines(&self) -> Vec<u8> {
        format!("{0}\n{0}\n{0}\n", self.secret).into_bytes()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Token").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Access {
    /// A text of the other side's without our secret: a host may repeat what it was told.
    pub(crate) fn hidden_in(&self, text: &str) -> String {
        match self {
            Self::Token(token) => {
                let pair = base64(format!("{}:{}", token.name, token.secret).as_bytes());
                text.replace(&token.secret, HIDDEN).replace(pair.trim_end_matches('='), HIDDEN)
            }
            Self::Open | Self::Agent(_) => text.to_owned(),
        }
    }
}

/// How basic authentication writes a name and its password.
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
        let token = Token::new("hunter22", Some("me".to_owned())).expect("a token");
        let access = Access::Token(token);
        assert!(!format!("{access:?}").contains("hunter22"));
        assert_eq!(base64(b"me:hunter22"), "bWU6aHVudGVyMjI");
        let said = access.hidden_in("you sent hunter22, that is Basic bWU6aHVudGVyMjI=");
        assert_eq!(said, "you sent ***, that is Basic ***=");
        for bad in ["", "two words", "two\nlines", "ümlaut"] {
            assert_eq!(Token::new(bad, None), Err(TokenError));
            assert_eq!(Token::new("good", Some(format!("'{bad}"))), Err(TokenError));
        }
    }
}
