//! Secrets and signatures of webhooks, by the Standard Webhooks scheme.

use crate::command::errors::EngineError;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use std::fmt;

const PREFIX: &str = "whsec_";
/// The sizes that the scheme allows.
const KEY_BYTES: std::ops::RangeInclusive<usize> = 24..=64;
const FRESH_KEY_BYTES: usize = 32;

/// The secret of a webhook: `whsec_` and a key in base64. Hidden in debug output.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret(String);

impl SigningSecret {
    /// Checks a secret that a user gave.
    pub fn parse(text: &str) -> Result<Self, EngineError> {
        let secret = Self(text.to_owned());
        let fits = secret.key().is_some_and(|key| KEY_BYTES.contains(&key.len()));
        if fits {
            return Ok(secret);
        }
        Err(EngineError::InvalidField {
            field: "secret",
            problem:
                "a secret is whsec_ followed by 24 to 64 bytes in base64, such as the output of \
                      `echo whsec_$(openssl rand -base64 32)`; leave it out to get a generated one"
                    .to_owned(),
        })
    }

    /// Creates a secret of 256 random bits.
    pub(crate) fn generate() -> Result<Self, getrandom::Error> {
        let mut key = [0_u8; FRESH_KEY_BYTES];
        getrandom::fill(&mut key)?;
        Ok(Self(format!("{PREFIX}{}", STANDARD.encode(key))))
    }

    /// The secret as text; the name makes each use easy to find.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// The header `webhook-signature` of a message.
    pub(crate) fn sign(&self, id: &str, timestamp: i64, body: &str) -> String {
        let key = hmac::Key::new(hmac::HMAC_SHA256, &self.key().unwrap_or_default());
        let signed = hmac::sign(&key, format!("{id}.{timestamp}.{body}").as_bytes());
        format!("v1,{}", STANDARD.encode(signed))
    }

    fn key(&self) -> Option<Vec<u8>> {
        STANDARD.decode(self.0.strip_prefix(PREFIX)?).ok()
    }
}

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningSecret(…)")
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    /// The example of the Standard Webhooks specification.
    #[test]
    fn s_2_a_signature_equals_that_of_the_specification() {
        let secret = SigningSecret::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signature =
            secret.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, r#"{"test": 2432232314}"#);
        assert_eq!(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn s_6_secrets_have_the_size_of_the_scheme_and_are_hidden() {
        let fresh = SigningSecret::generate().unwrap();
        assert_eq!(SigningSecret::parse(fresh.expose()).unwrap(), fresh);
        assert_ne!(SigningSecret::generate().unwrap(), fresh);
        assert_eq!(format!("{fresh:?}"), "SigningSecret(…)");
        for wrong in
            ["", "whsec_", "whsec_!!", "whsec_c2hvcnQ=", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]
        {
            assert!(SigningSecret::parse(wrong).is_err(), "{wrong}");
        }
    }
}
