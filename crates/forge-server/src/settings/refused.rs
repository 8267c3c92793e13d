//! Settings that cannot be used.

use std::fmt;

/// One thing that is wrong, and where it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The flag, the variable, or the key and its file.
    pub place: String,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// All that is wrong, so that it can be mended in one go.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the settings cannot be used; correct these:{}", listed(.problems))]
pub struct SettingsRefused {
    /// Everything that is wrong; never empty.
    pub problems: Vec<Problem>,
}

fn listed(problems: &[Problem]) -> String {
    problems.iter().map(|problem| format!("\n  {problem}")).collect()
}
