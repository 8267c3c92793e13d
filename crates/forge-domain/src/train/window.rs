//! How many cars are tried at once.

/// Grows by one with each landing and halves with each car that has to leave (M-12): where branches fit, many are tried
/// ahead; where they do not, little is tried for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    size: usize,
    most: usize,
}

impl Window {
    /// Begins with as many as can be checked at the same time.
    pub fn of(slots: usize, most: usize) -> Self {
        let most = most.max(1);
        Self { size: slots.clamp(1, most), most }
    }

    /// One at a time, for targets without a train.
    pub fn single() -> Self {
        Self::of(1, 1)
    }

    /// How many.
    pub fn size(self) -> usize {
        self.size
    }

    /// A car landed.
    pub fn grow(&mut self) {
        self.size = self.size.saturating_add(1).min(self.most);
    }

    /// A car had to leave.
    pub fn halve(&mut self) {
        self.size = (self.size / 2).max(1);
    }

    /// Another limit from now on.
    pub fn limit(&mut self, slots: usize, most: usize) {
        if self.most != most.max(1) {
            *self = Self::of(slots, most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m_12_the_window_grows_by_one_and_halves() {
        let mut window = Window::of(4, 6);
        for expected in [5, 6, 6] {
            window.grow();
            assert_eq!(window.size(), expected);
        }
        for expected in [3, 1, 1] {
            window.halve();
            assert_eq!(window.size(), expected);
        }
        assert_eq!(Window::single().size(), 1);
    }
}
