//! One number of the report, and what it should be.

use std::fmt;

/// What a number should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Aim {
    /// Nothing is said about it.
    None,
    /// A target: to miss it is a failure.
    AtLeast(f64),
    /// A target: to miss it is a failure.
    AtMost(f64),
    /// Wished for; the machine has a say in it.
    Under(f64),
}

/// One number.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) aim: Aim,
}

impl Figure {
    pub(crate) fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { name: name.into(), value, unit, aim: Aim::None }
    }

    #[must_use]
    pub(crate) fn aim(mut self, aim: Aim) -> Self {
        self.aim = aim;
        self
    }

    /// Whether a target was missed.
    pub(crate) fn failed(&self) -> bool {
        match self.aim {
            Aim::AtLeast(bound) => self.value < bound,
            Aim::AtMost(bound) => self.value > bound,
            Aim::None | Aim::Under(_) => false,
        }
    }

    /// What there is to say about it.
    pub(crate) fn remark(&self) -> String {
        let verdict = if self.failed() { "MISSED" } else { "ok" };
        match self.aim {
            Aim::None => String::new(),
            Aim::AtLeast(bound) => format!("at least {bound}: {verdict}"),
            Aim::AtMost(bound) => format!("at most {bound}: {verdict}"),
            Aim::Under(bound) if self.value < bound => format!("aim {bound}: reached"),
            Aim::Under(bound) => format!("aim {bound}: not reached"),
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = if self.value >= 1000.0 { 0 } else { 2 };
        let value = format!("{:.digits$}", self.value);
        let line = format!("{:<52} {value:>10} {:<5} {}", self.name, self.unit, self.remark());
        f.write_str(line.trim_end())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_missed_target_is_a_failure() {
        let figure = |value, aim| Figure::new("x", value, "x").aim(aim).failed();
        assert!(figure(0.2, Aim::AtLeast(0.25)) && !figure(0.25, Aim::AtLeast(0.25)));
        assert!(figure(2.1, Aim::AtMost(2.0)) && !figure(2.0, Aim::AtMost(2.0)));
        assert!(!figure(1000.0, Aim::Under(20.0)) && !figure(1000.0, Aim::None));
    }
}
