//! Points in time on the wire.

use forge_domain::Timestamp;

/// RFC 3339 in UTC with milliseconds.
pub(crate) fn rfc3339(at: Timestamp) -> String {
    // What is stored came from a clock; a value no calendar has becomes the nearest one it has.
    let at = jiff::Timestamp::from_millisecond(at.millis()).unwrap_or(if at.millis() < 0 {
        jiff::Timestamp::MIN
    } else {
        jiff::Timestamp::MAX
    });
    format!("{at:.3}")
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
