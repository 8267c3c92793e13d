//! Repeated measurements of one duration.

use std::time::Duration;

/// Measurements, in any order.
#[derive(Debug, Clone, Default)]
pub(crate) struct DurationSample(Vec<Duration>);

impl DurationSample {
    pub(crate) fn add(&mut self, measured: Duration) {
        self.0.push(measured);
    }

    pub(crate) fn join(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    pub(crate) fn median(&self) -> Duration {
        self.percentile(50)
    }

    /// The smallest measurement that at least this percentage does not exceed.
    pub(crate) fn percentile(&self, percent: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let place = (sorted.len() * percent).div_ceil(100).saturating_sub(1);
        sorted.get(place).copied().unwrap_or_default()
    }
}

/// Lowest, median and highest of some numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NumberSpread {
    pub(crate) lowest: f64,
    pub(crate) median: f64,
    pub(crate) highest: f64,
}

/// Sorts the numbers and returns their spread.
pub(crate) fn spread(numbers: &mut [f64]) -> NumberSpread {
    numbers.sort_unstable_by(f64::total_cmp);
    let at = |place: usize| numbers.get(place).copied().unwrap_or(f64::NAN);
    let last = numbers.len().saturating_sub(1);
    NumberSpread { lowest: at(0), median: at(last / 2), highest: at(last) }
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
        let mut sample = DurationSample::default();
        assert_eq!(sample.median(), Duration::ZERO);
        for millis in (1..=100).rev() {
            sample.add(Duration::from_millis(millis));
        }
        assert_eq!(sample.median(), Duration::from_millis(50));
        assert_eq!(sample.percentile(99), Duration::from_millis(99));
        assert_eq!(sample.percentile(100), Duration::from_millis(100));
    }

    #[test]
    fn the_median_round_is_one_of_the_rounds() {
        let found = spread(&mut [0.5, 0.2, 0.4, 0.1, 0.3]);
        assert_eq!(found, NumberSpread { lowest: 0.1, median: 0.3, highest: 0.5 });
    }
}
