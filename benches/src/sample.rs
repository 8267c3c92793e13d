//! Many measurements of the same thing.

use std::time::Duration;

/// Measurements, in any order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sample(Vec<Duration>);

impl Sample {
    pub(crate) fn add(&mut self, measured: Duration) {
        self.0.push(measured);
    }

    pub(crate) fn join(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(crate) fn median(&self) -> Duration {
        self.percentile(50)
    }

    /// The smallest measurement that at least this many of a hundred do not exceed.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        sorted.get(place).copied().unwrap_or_default()
    }
}

/// A duration in milliseconds.
pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_measurements() {
        let mut sample = Sample::default();
        assert_eq!(sample.median(), Duration::ZERO);
        for millis in (1..=100).rev() {
            sample.add(Duration::from_millis(millis));
        }
        assert_eq!(sample.median(), Duration::from_millis(50));
        assert_eq!(sample.percentile(99), Duration::from_millis(99));
        assert_eq!(sample.percentile(100), Duration::from_millis(100));
    }
}
