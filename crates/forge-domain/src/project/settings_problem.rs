//! What is wrong with a project's settings.

use serde::Serialize;
use std::fmt;

/// A setting that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettingsProblem {
    /// The setting's place in the request, such as `settings.merge.window`.
    pub path: String,
    /// What is wrong, and what to do.
    pub problem: String,
}

impl SettingsProblem {
    /// A problem with the setting at this path.
    pub fn new(path: &str, problem: impl Into<String>) -> Self {
        Self { path: path.to_owned(), problem: problem.into() }
    }
}

impl fmt::Display for SettingsProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.problem)
    }
}

/// Settings that cannot be used, with all problems in the order of the settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct InvalidSettingsError(Vec<SettingsProblem>);

impl InvalidSettingsError {
    /// The error of these problems.
    pub fn new(problems: Vec<SettingsProblem>) -> Self {
        Self(problems)
    }

    /// Fails if there are problems.
    pub fn refuse(problems: Vec<SettingsProblem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self(problems)) }
    }

    /// All problems, in the order of the settings.
    pub fn problems(&self) -> &[SettingsProblem] {
        &self.0
    }
}

impl From<SettingsProblem> for InvalidSettingsError {
    fn from(problem: SettingsProblem) -> Self {
        Self(vec![problem])
    }
}

impl fmt::Display for InvalidSettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let [problem] = self.0.as_slice() {
            return problem.fmt(f);
        }
        write!(f, "{} settings cannot be used", self.0.len())?;
        for problem in &self.0 {
            write!(f, "\n  {problem}")?;
        }
        Ok(())
    }
}
