//! Timestamps. The rules receive them and never read a clock.

use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(i64);

impl Timestamp {
    /// A timestamp from its milliseconds since the epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the epoch.
    pub const fn millis(self) -> i64 {
        self.0
    }

    /// The timestamp this many seconds later; saturates instead of wrapping.
    pub const fn plus_seconds(self, seconds: u64) -> Self {
        let millis =
            if seconds > (i64::MAX / 1000) as u64 { i64::MAX } else { seconds as i64 * 1000 };
        Self(self.0.saturating_add(millis))
    }
}
