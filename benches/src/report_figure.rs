//! One number of the report, and its target.

use std::fmt;

/// The target of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum FigureTarget {
    /// No target is set.
    None,
    /// A lower bound: missing it is a failure.
    AtLeast(f64),
    /// An upper bound: missing it is a failure.
    AtMost(f64),
    /// A desired value that depends on the machine; missing it is no failure.
    Desired(f64),
}

/// One measured number.
#[derive(Debug, Clone)]
pub(crate) struct ReportFigure {
    pub(crate) name: String,
    pub(crate) value: f64,
    pub(crate) unit: &'static str,
    pub(crate) target: FigureTarget,
}

impl ReportFigure {
    pub(crate) fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self { name: name.into(), value, unit, target: FigureTarget::None }
    }

    #[must_use]
    pub(crate) fn target(mut self, aim: FigureTarget) -> Self {
        self.target = aim;
        self
    }

    /// Whether a target was missed.
    pub(crate) fn is_missed(&self) -> bool {
        match self.target {
            FigureTarget::AtLeast(bound) => self.value < bound,
            FigureTarget::AtMost(bound) => self.value > bound,
            FigureTarget::None | FigureTarget::Desired(_) => false,
        }
    }

    /// The remark about the target.
    pub(crate) fn remark(&self) -> String {
        let verdict = if self.is_missed() { "MISSED" } else { "ok" };
        match self.target {
            FigureTarget::None => String::new(),
            FigureTarget::AtLeast(bound) => format!("at least {bound}: {verdict}"),
            FigureTarget::AtMost(bound) => format!("at most {bound}: {verdict}"),
            FigureTarget::Desired(bound) if self.value < bound => format!("aim {bound}: reached"),
            FigureTarget::Desired(bound) => format!("aim {bound}: not reached"),
        }
    }
}

impl fmt::Display for ReportFigure {
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
        let figure = |value, aim| ReportFigure::new("x", value, "x").target(aim).is_missed();
        assert!(
            figure(0.2, FigureTarget::AtLeast(0.25)) && !figure(0.25, FigureTarget::AtLeast(0.25))
        );
        assert!(figure(2.1, FigureTarget::AtMost(2.0)) && !figure(2.0, FigureTarget::AtMost(2.0)));
        assert!(
            !figure(1000.0, FigureTarget::Desired(20.0)) && !figure(1000.0, FigureTarget::None)
        );
    }
}
