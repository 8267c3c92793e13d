//! Throttling of sign-in attempts.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};

use forge_domain::Timestamp;
use forge_engine::SecretHash;

/// Number of free attempts, and the longest wait.
#[derive(Debug, Clone, Copy)]
struct AttemptAllowance {
    free: u32,
    longest_seconds: u64,
}

/// Users mistype a few times. The longest wait is short, so that an attacker who knows only the name cannot lock the
/// user out for long.
const PER_NAME: AttemptAllowance = AttemptAllowance { free: 5, longest_seconds: 60 };
/// Many users can share one address; an attacker there tries many names.
const PER_ADDRESS: AttemptAllowance = AttemptAllowance { free: 20, longest_seconds: 900 };
/// After this long without an attempt the count starts again.
const RESET_SECONDS: u64 = 3600;
/// Limits the memory that a flood of invented names can take.
const MOST_KEYS: usize = 20_000;

/// The subject of a count. Names are hashed, because the sender chooses their length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ThrottleKey {
    Name([u8; 32]),
    Address(IpAddr),
}

impl ThrottleKey {
    fn of_name(name: &str) -> Self {
        Self::Name(SecretHash::of(&name.to_lowercase()).bytes())
    }

    /// Groups IPv6 addresses by /64: a home gets a whole /64, so an attacker can use any address in it.
    fn of_address(address: IpAddr) -> Self {
        Self::Address(match address.to_canonical() {
            IpAddr::V6(v6) => {
                let [a, b, c, d, ..] = v6.segments();
                IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
            }
            v4 @ IpAddr::V4(_) => v4,
        })
    }

    fn allowance(self) -> AttemptAllowance {
        match self {
            Self::Name(_) => PER_NAME,
            Self::Address(_) => PER_ADDRESS,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct AttemptCount {
    count: u32,
    last: Timestamp,
    open_at: Timestamp,
}

/// Too many attempts, with the time to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("too many attempts to sign in; try again in {retry_after_seconds} s")]
pub struct ThrottleError {
    /// Seconds to wait.
    pub retry_after_seconds: u64,
}

/// An attempt that may proceed. It counts as failed until [`SignInThrottle::succeeded`] removes it, so that many
/// concurrent attempts cannot all be the first.
#[derive(Debug)]
#[must_use = "report a successful attempt with `succeeded`"]
pub struct SignInAttempt {
    name: ThrottleKey,
    address: ThrottleKey,
}

/// Counts sign-in attempts by name and by address; the wait doubles with each failure.
#[derive(Debug, Default)]
pub struct SignInThrottle {
    tries: Mutex<HashMap<ThrottleKey, AttemptCount>>,
}

impl SignInThrottle {
    /// Allows an attempt or says how long to wait. A refused attempt changes nothing.
    pub fn begin(
        &self,
        name: &str,
        address: IpAddr,
        now: Timestamp,
    ) -> Result<SignInAttempt, ThrottleError> {
        let attempt = SignInAttempt {
            name: ThrottleKey::of_name(name),
            address: ThrottleKey::of_address(address),
        };
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        let keys = [attempt.name, attempt.address];
        let open_at = keys.iter().filter_map(|key| tries.get(key)).map(|tries| tries.open_at).max();
        if let Some(open_at) = open_at.filter(|open_at| *open_at > now) {
            let millis = open_at.millis().saturating_sub(now.millis());
            let seconds = u64::try_from(millis).unwrap_or_default().div_ceil(1000);
            return Err(ThrottleError { retry_after_seconds: seconds.max(1) });
        }
        make_room(&mut tries, now);
        for key in keys {
            count(&mut tries, key, now);
        }
        Ok(attempt)
    }

    /// Records a right password. The name's count starts again; the address only gets this attempt back, because
    /// otherwise one valid account would give an attacker any number of guesses at others.
    pub fn succeeded(&self, attempt: SignInAttempt) {
        let mut tries = self.tries.lock().unwrap_or_else(PoisonError::into_inner);
        tries.remove(&attempt.name);
        if let Some(address) = tries.get_mut(&attempt.address) {
            address.count = address.count.saturating_sub(1);
            if address.count <= PER_ADDRESS.free {
                address.open_at = address.last;
            }
        }
    }
}

fn count(tries: &mut HashMap<ThrottleKey, AttemptCount>, key: ThrottleKey, now: Timestamp) {
    let known = tries.get(&key).filter(|tries| !is_forgiven(tries, now));
    let count = known.map_or(0, |tries| tries.count).saturating_add(1);
    let AttemptAllowance { free, longest_seconds } = key.allowance();
    let wait = match count.checked_sub(free) {
        None | Some(0) => 0,
        Some(over) => 1_u64
            .checked_shl(over - 1)
            .map_or(longest_seconds, |seconds| seconds.min(longest_seconds)),
    };
    let open_at = now.plus_seconds(wait);
    tries.insert(key, AttemptCount { count, last: now, open_at });
}

fn is_forgiven(tries: &AttemptCount, now: Timestamp) -> bool {
    tries.last.plus_seconds(RESET_SECONDS) <= now
}

fn make_room(tries: &mut HashMap<ThrottleKey, AttemptCount>, now: Timestamp) {
    if tries.len() < MOST_KEYS {
        return;
    }
    tries.retain(|_, tries| !is_forgiven(tries, now));
    if tries.len() < MOST_KEYS {
        return;
    }
    // Keep the keys with the most attempts: invented names are tried once.
    let mut counts: Vec<_> = tries.values().map(|tries| tries.count).collect();
    counts.sort_unstable();
    let median = counts.get(counts.len() / 2).copied().unwrap_or_default();
    tries.retain(|_, tries| tries.count > median);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000);
    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));

    fn elsewhere(n: u16) -> IpAddr {
        IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, n, 0, 0, 0, 1))
    }

    /// Tries until refused; returns the number of allowed attempts.
    fn exhaust(throttle: &SignInThrottle, name: &str, address: IpAddr, now: Timestamp) -> u32 {
        let mut through = 0;
        while throttle.begin(name, address, now).is_ok() {
            through += 1;
            assert!(through < 100, "it never closes");
        }
        through
    }

    #[test]
    fn s_6_the_wait_for_a_name_doubles_up_to_a_minute() {
        let throttle = SignInThrottle::default();
        assert_eq!(exhaust(&throttle, "ann", HERE, NOW), 6);
        let mut now = NOW;
        let mut waits = Vec::new();
        for _ in 0..8 {
            let refused = throttle.begin("Ann", HERE, now).expect_err("closed");
            waits.push(refused.retry_after_seconds);
            now = now.plus_seconds(refused.retry_after_seconds);
            let _failed = throttle.begin("ann", HERE, now).expect("open again");
        }
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
    }

    #[test]
    fn s_6_guesses_from_many_addresses_are_throttled_by_name() {
        let throttle = SignInThrottle::default();
        let through = (0..50).filter(|n| throttle.begin("ann", elsewhere(*n), NOW).is_ok());
        assert_eq!(through.count(), 6);
    }

    #[test]
    fn s_6_guesses_of_many_names_are_throttled_by_address() {
        let throttle = SignInThrottle::default();
        let through = (0..50).filter(|n| throttle.begin(&n.to_string(), HERE, NOW).is_ok());
        assert_eq!(through.count(), 21);
        assert!(throttle.begin("bob", elsewhere(1), NOW).is_ok());
        let same_home = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 1, 9, 9, 9, 9));
        assert_eq!(ThrottleKey::of_address(elsewhere(1)), ThrottleKey::of_address(same_home));
    }

    #[test]
    fn s_6_success_clears_the_name_but_not_the_addresss_other_failures() {
        let throttle = SignInThrottle::default();
        for n in 0..19 {
            let _failed = throttle.begin(&n.to_string(), HERE, NOW).expect("open");
        }
        for _ in 0..10 {
            let good = throttle.begin("ann", HERE, NOW).expect("open");
            throttle.succeeded(good);
        }
        assert_eq!(exhaust(&throttle, "bob", elsewhere(2), NOW), 6);
        let through = (100..150).filter(|n| throttle.begin(&n.to_string(), HERE, NOW).is_ok());
        assert_eq!(through.count(), 2);
    }

    #[test]
    fn an_hour_without_attempts_resets_the_count() {
        let throttle = SignInThrottle::default();
        exhaust(&throttle, "ann", HERE, NOW);
        let later = NOW.plus_seconds(3600);
        assert_eq!(exhaust(&throttle, "ann", HERE, later), 6);
    }

    #[test]
    fn a_flood_of_names_stays_bounded_and_keeps_the_most_active_keys() {
        let throttle = SignInThrottle::default();
        exhaust(&throttle, "ann", HERE, NOW);
        for n in 0..u32::try_from(MOST_KEYS).expect("fits") {
            let address = IpAddr::V4(n.into());
            let _ = throttle.begin(&n.to_string(), address, NOW);
        }
        let kept = throttle.tries.lock().expect("not poisoned").len();
        assert!(kept <= MOST_KEYS + 2, "{kept}");
        assert!(throttle.begin("ann", elsewhere(3), NOW).is_err());
    }
}
