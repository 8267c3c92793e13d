//! The only code that reads the machine's clock for measurements.

use std::time::{Duration, Instant};

/// Measures the time since its creation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BenchStopwatch(Instant);

impl BenchStopwatch {
    #[expect(clippy::disallowed_methods, reason = "a benchmark measures the machine's time")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
