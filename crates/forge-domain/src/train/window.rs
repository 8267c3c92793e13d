//! The window: how many candidates are tested at once.

/// The number of candidates that are tested at once. It grows by one with each landing and halves when a candidate is
/// evicted because its checks fail (M-12), so that few tests are wasted where branches break each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialWindow {
    size: usize,
    most: usize,
}

impl TrialWindow {
    /// A window that starts with as many candidates as can be checked at the same time.
    pub fn new(slots: usize, most: usize) -> Self {
        let most = most.max(1);
        Self { size: slots.clamp(1, most), most }
    }

    /// A window of one, for targets without a train.
    pub fn single() -> Self {
        Self::new(1, 1)
    }

    /// Number of candidates tested at once.
    pub fn size(self) -> usize {
        self.size
    }

    /// Grows the window by one, after a landing.
    pub fn grow(&mut self) {
        self.size = self.size.saturating_add(1).min(self.most);
    }

    /// Halves the window, after an eviction for failed checks.
    pub(crate) fn halve(&mut self) {
        self.size = (self.size / 2).max(1);
    }

    /// Sets another limit.
    pub fn set_limit(&mut self, slots: usize, most: usize) {
        if self.most != most.max(1) {
            *self = Self::new(slots, most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_12_the_window_grows_by_one_and_halves() {
        let mut window = TrialWindow::new(4, 6);
        for expected in [5, 6, 6] {
            window.grow();
            assert_eq!(window.size(), expected);
        }
        for expected in [3, 1, 1] {
            window.halve();
            assert_eq!(window.size(), expected);
        }
        assert_eq!(TrialWindow::single().size(), 1);
    }
}
