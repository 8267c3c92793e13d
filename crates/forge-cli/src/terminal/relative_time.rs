//! Formats points in time relative to now. The exact time is in the JSON document.

use jiff::Timestamp;

use crate::terminal::wire_words::readable_age;

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// The current time of this machine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CurrentTime(Timestamp);

impl CurrentTime {
    /// Reads the clock of this machine.
    #[expect(
        clippy::disallowed_methods,
        reason = "ages on a terminal are relative to the user's clock"
    )]
    pub(crate) fn read() -> Self {
        Self(Timestamp::now())
    }

    /// `5 min ago`; the given text if it is no time.
    pub(crate) fn ago(self, at: &str) -> String {
        match self.seconds_since(at) {
            None => at.to_owned(),
            Some(..MINUTE) => "just now".to_owned(),
            Some(seconds) => format!("{} ago", coarse_duration(seconds)),
        }
    }

    /// The time since then, for a column of ages; the given text if it is no time.
    pub(crate) fn age(self, at: &str) -> String {
        match self.seconds_since(at) {
            None => at.to_owned(),
            Some(..MINUTE) => "now".to_owned(),
            Some(seconds) => coarse_duration(seconds),
        }
    }

    /// The exact time since then, such as that of a running execution; the given text if it is no time.
    pub(crate) fn elapsed(self, at: &str) -> String {
        let seconds = self.seconds_since(at).map(|seconds| u64::try_from(seconds).unwrap_or(0));
        seconds.map_or_else(|| at.to_owned(), readable_age)
    }

    /// `in 5 min`; the given text if it is no time.
    pub(crate) fn until(self, at: &str) -> String {
        match self.seconds_since(at) {
            None => at.to_owned(),
            Some(seconds) if seconds > -MINUTE => "within a minute".to_owned(),
            Some(seconds) => format!("in {}", coarse_duration(-seconds)),
        }
    }

    /// Seconds since the last midnight in the user's time zone.
    pub(crate) fn seconds_today(self) -> u32 {
        let here = self.0.to_zoned(jiff::tz::TimeZone::system());
        let midnight = here.start_of_day().map_or(self.0, |midnight| midnight.timestamp());
        u32::try_from(self.0.as_second() - midnight.as_second()).unwrap_or_default()
    }

    /// Seconds since then; negative for a time in the future.
    fn seconds_since(self, at: &str) -> Option<i64> {
        let at: Timestamp = at.parse().ok()?;
        Some(self.0.as_second() - at.as_second())
    }
}

/// Seconds between two times; `None` if one of them is no time.
pub(crate) fn seconds_between(from: &str, to: &str) -> Option<u64> {
    let (from, to): (Timestamp, Timestamp) = (from.parse().ok()?, to.parse().ok()?);
    u64::try_from(to.as_second() - from.as_second()).ok()
}

/// A duration in its largest unit.
fn coarse_duration(seconds: i64) -> String {
    match seconds {
        ..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => format!("{} min", seconds / MINUTE),
        HOUR..DAY => format!("{} h", seconds / HOUR),
        DAY.. => format!("{} d", seconds / DAY),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

    use super::*;

    #[test]
    fn s_4_times_are_relative_to_now() {
        let now = CurrentTime("2026-01-02T12:00:00Z".parse().expect("a time"));
        for (at, ago, age) in [
            ("2026-01-02T11:59:59.500Z", "just now", "now"),
            ("2026-01-02T11:58:59Z", "1 min ago", "1 min"),
            ("2026-01-02T02:59:00Z", "9 h ago", "9 h"),
            ("2025-12-02T02:59:00Z", "31 d ago", "31 d"),
            ("2026-01-02T12:00:30Z", "just now", "now"),
            ("nonsense", "nonsense", "nonsense"),
        ] {
            assert_eq!((now.ago(at).as_str(), now.age(at).as_str()), (ago, age), "{at}");
        }
        assert_eq!(now.until("2026-01-02T12:30:00Z"), "in 30 min");
        assert_eq!(now.until("2026-01-02T11:30:00Z"), "within a minute");
        assert_eq!(seconds_between("2026-01-02T11:30:00Z", "2026-01-02T11:30:09Z"), Some(9));
    }
}
