//! One violation of a rule.

use std::fmt;

/// Where a rule is violated, what is wrong there and how to fix it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleViolation {
    /// Path relative to the workspace root, with forward slashes.
    pub path: String,
    /// One-based line number.
    pub line: usize,
    pub problem: String,
    /// How to fix it.
    pub fix: String,
}

impl RuleViolation {
    /// A violation at `path:line`.
    pub fn new(
        path: impl Into<String>,
        line: usize,
        problem: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { path: path.into(), line, problem: problem.into(), fix: mend.into() }
    }
}

impl fmt::Display for RuleViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, problem, fix: mend } = self;
        write!(f, "{path}:{line}: {problem}\n    mend: {mend}")
    }
}
