//! Errors of the settings.

use std::fmt;

/// One wrong value, and its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingProblem {
    /// The flag, the variable, or the key and its file.
    pub place: String,
    /// What is wrong with the value.
    pub message: String,
}

impl fmt::Display for SettingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

/// All problems, so that the user can fix them in one go.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the settings cannot be used; correct these:{}", listed(.problems))]
pub struct SettingsError {
    /// All problems; never empty.
    pub problems: Vec<SettingProblem>,
}

fn listed(problems: &[SettingProblem]) -> String {
    problems.iter().map(|problem| format!("\n  {problem}")).collect()
}
