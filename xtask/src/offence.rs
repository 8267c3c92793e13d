//! One broken rule at one place.

use std::fmt;

/// Where a rule is broken, what is wrong there and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offence {
    /// Path relative to the workspace root, with forward slashes.
    pub path: String,
    /// One-based line.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub mend: String,
}

impl Offence {
    /// An offence at `path:line`.
    pub fn new(
        path: impl Into<String>,
        line: usize,
        problem: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { path: path.into(), line, problem: problem.into(), mend: mend.into() }
    }
}

impl fmt::Display for Offence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, problem, mend } = self;
        write!(f, "{path}:{line}: {problem}\n    mend: {mend}")
    }
}
