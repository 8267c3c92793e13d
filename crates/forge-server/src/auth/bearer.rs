//! The token in the Authorization header.

use forge_api::SecretString;
use http::HeaderMap;
use http::header::AUTHORIZATION;

/// Longer texts are not Forge tokens, and hashing them would be wasted work.
const LONGEST: usize = 512;

/// The bearer token that came with a request.
pub fn bearer(headers: &HeaderMap) -> Option<SecretString> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim();
    let usable = scheme.eq_ignore_ascii_case("bearer") && (1..=LONGEST).contains(&token.len());
    usable.then(|| SecretString::new(token))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use http::HeaderValue;

    use super::*;

    fn read(value: &str) -> Option<String> {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::from_str(value).expect("a header"));
        bearer(&headers).map(|token| token.expose().to_owned())
    }

    #[test]
    fn s_6_bearer_tokens_are_read_and_other_schemes_are_not() {
        assert_eq!(read("Bearer fg_x").as_deref(), Some("fg_x"));
        assert_eq!(read("bearer  fg_x ").as_deref(), Some("fg_x"));
        for other in ["Basic fg_x", "Bearer", "Bearer ", "fg_x"] {
            assert_eq!(read(other), None, "{other}");
        }
        assert_eq!(read(&format!("Bearer {}", "x".repeat(513))), None);
    }
}
