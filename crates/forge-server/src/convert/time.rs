//! Converts points in time.

use forge_domain::Timestamp;

/// RFC 3339 in UTC with milliseconds.
pub(crate) fn rfc3339(at: Timestamp) -> String {
    // Stored times came from a clock; a value outside the calendar becomes the nearest valid one.
    let at = jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(if at.millis() < 0 {
        jiff::Timestamp::MIN
    } else {
        jiff::Timestamp::MAX
    });
    format!("{at:.3}")
}

/// Whole seconds between two points in time; 0 if `later` is the earlier one.
pub(crate) fn seconds_between(earlier: Timestamp, later: Timestamp) -> u64 {
    let millis = later.millis().saturating_sub(earlier.millis());
    u64::try_from(millis / 1000).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_1_times_are_utc_with_three_digits() {
        let cases = [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_767_225_600_120, "2026-01-01T00:00:00.120Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
        ];
        for (millis, text) in cases {
            assert_eq!(rfc3339(Timestamp::from_millis(millis)), text);
        }
        assert!(rfc3339(Timestamp::from_millis(i64::MAX)).starts_with("9999-"));
    }
}
