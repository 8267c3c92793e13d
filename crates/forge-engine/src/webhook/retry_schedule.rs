//! When a failed delivery is attempted again, and when the server gives up.

use forge_domain::Timestamp;

const FIRST_WAIT_SECONDS: u64 = 5;
const LONGEST_WAIT_SECONDS: u64 = 3_600;
/// How long a receiver may fail before its webhook is disabled: long enough for a weekend.
const PATIENCE_SECONDS: u64 = 3 * 86_400;

/// What follows a failed attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetryDecision {
    /// Attempt it again at this time.
    RetryAt(Timestamp),
    /// Disable the webhook.
    GiveUp,
}

/// Decides after a failed attempt: the wait doubles from five seconds to an hour, and is at least what the receiver
/// asked for within that hour. `failures` counts this one.
pub(crate) fn decide_retry(
    now: Timestamp,
    failing_since: Timestamp,
    failures: u32,
    retry_after_seconds: Option<u64>,
) -> RetryDecision {
    if now >= failing_since.plus_seconds(PATIENCE_SECONDS) {
        return RetryDecision::GiveUp;
    }
    let doubled =
        FIRST_WAIT_SECONDS.saturating_mul(2_u64.saturating_pow(failures.saturating_sub(1)));
    let wait = doubled.max(retry_after_seconds.unwrap_or_default()).min(LONGEST_WAIT_SECONDS);
    RetryDecision::RetryAt(now.plus_seconds(wait))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_2_waits_double_up_to_an_hour_and_end_after_three_days() {
        let start = Timestamp::from_millis(0);
        let wait = |failures, asked| decide_retry(start, start, failures, asked);
        for (failures, asked, seconds) in [
            (1, None, 5),
            (2, None, 10),
            (3, None, 20),
            (11, None, 3_600),
            (u32::MAX, None, 3_600),
            (1, Some(60), 60),
            (3, Some(1), 20),
            (1, Some(u64::MAX), 3_600),
        ] {
            let expected = RetryDecision::RetryAt(start.plus_seconds(seconds));
            assert_eq!(wait(failures, asked), expected, "{failures} {asked:?}");
        }
        let late = start.plus_seconds(PATIENCE_SECONDS);
        assert_eq!(decide_retry(late, start, 80, None), RetryDecision::GiveUp);
    }
}
