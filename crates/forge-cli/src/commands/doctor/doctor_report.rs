//! The findings of `forge doctor`.

use serde::Serialize;

/// How serious a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FindingLevel {
    Ok,
    Warn,
    Fail,
}

/// The result of one check.
#[derive(Debug, Serialize)]
pub(crate) struct DoctorFinding {
    pub(crate) name: &'static str,
    pub(crate) verdict: FindingLevel,
    pub(crate) message: String,
    /// How to fix it.
    pub(crate) next: Option<String>,
}

impl DoctorFinding {
    fn new(name: &'static str, verdict: FindingLevel, message: impl Into<String>) -> Self {
        Self { name, verdict, message: message.into(), next: None }
    }

    /// A check that passed.
    pub(crate) fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Self::new(name, FindingLevel::Ok, message)
    }

    /// A check that found something to look at.
    pub(crate) fn warn(name: &'static str, message: impl Into<String>) -> Self {
        Self::new(name, FindingLevel::Warn, message)
    }

    /// A check that failed.
    pub(crate) fn fail(name: &'static str, message: impl Into<String>) -> Self {
        Self::new(name, FindingLevel::Fail, message)
    }

    /// Adds how to fix it.
    pub(crate) fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }
}

/// The findings of one run.
#[derive(Debug, Serialize)]
pub(crate) struct DoctorReport {
    pub(crate) findings: Vec<DoctorFinding>,
}
