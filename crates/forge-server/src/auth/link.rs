//! The one-time link that `serve` prints on first run.

use forge_api::Secret;
use forge_domain::Timestamp;

use super::secret::{NoRandomness, SecretHash, fresh_code};

const LASTS_SECONDS: u64 = 3600;

/// What is stored of a link; the code itself is only in the link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The code's hash.
    pub hash: SecretHash,
    /// From when on it is refused.
    pub expires_at: Timestamp,
    /// When it was used.
    pub used_at: Option<Timestamp>,
}

/// Why a link does not sign in. One answer for all reasons goes out; the log may tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkRefused {
    /// It is the code of no link.
    #[error("the link is not one that this server printed; use the newest one")]
    Unknown,
    /// It signed somebody in before.
    #[error("the link was used before; restart `forge serve` on an empty server for a new one")]
    Used,
    /// It is too old.
    #[error("the link has expired; restart `forge serve` on an empty server for a new one")]
    Expired,
}

impl Link {
    /// A new link: the code to print, and what to store.
    pub fn issue(now: Timestamp) -> Result<(Secret, Self), NoRandomness> {
        let code = fresh_code()?;
        let link = Self {
            hash: SecretHash::of(&code),
            expires_at: now.plus_seconds(LASTS_SECONDS),
            used_at: None,
        };
        Ok((code, link))
    }

    /// The link as used, to be stored in place of the old one by compare-and-swap on `used_at`.
    pub fn used(&self, code: &Secret, now: Timestamp) -> Result<Self, LinkRefused> {
        if self.hash != SecretHash::of(code) {
            return Err(LinkRefused::Unknown);
        }
        if self.used_at.is_some() {
            return Err(LinkRefused::Used);
        }
        if now >= self.expires_at {
            return Err(LinkRefused::Expired);
        }
        Ok(Self { used_at: Some(now), ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);

    #[test]
    fn s_6_a_link_signs_in_once() {
        let (code, link) = Link::issue(NOW).expect("random");
        let used = link.used(&code, NOW).expect("the first use");
        assert_eq!(used.used_at, Some(NOW));
        assert_eq!(used.used(&code, NOW), Err(LinkRefused::Used));
    }

    #[test]
    fn s_6_a_link_lasts_an_hour() {
        let (code, link) = Link::issue(NOW).expect("random");
        assert!(link.used(&code, NOW.plus_seconds(3599)).is_ok());
        let late = link.used(&code, NOW.plus_seconds(3600));
        assert_eq!(late, Err(LinkRefused::Expired));
    }

    #[test]
    fn s_6_another_code_is_refused_without_spending_the_link() {
        let (code, link) = Link::issue(NOW).expect("random");
        let other = fresh_code().expect("random");
        assert_eq!(link.used(&other, NOW), Err(LinkRefused::Unknown));
        assert!(link.used(&code, NOW).is_ok());
    }
}
