//! What a task is to others, and what became of its work: where it comes from, how it landed, and what followed.

use crate::joined::{Inverted, Rebased};
use crate::{TaskId, Timestamp};
use serde::{Deserialize, Serialize};

/// The task that a new one is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Origin {
    /// It takes back what the other landed.
    Revert {
        /// The other.
        of: TaskId,
        /// What it landed as.
        commit: String,
    },
    /// It mends what the other broke.
    Fix {
        /// The other.
        of: TaskId,
    },
}

impl Origin {
    /// The other task.
    pub fn of(&self) -> TaskId {
        match self {
            Self::Revert { of, .. } | Self::Fix { of } => *of,
        }
    }
}

/// How the work came to its target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landed {
    /// The commit it is there as; none if the target had all of it already (M-8).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The target branch.
    pub target: String,
    /// When.
    pub at: Timestamp,
}

/// What was taken away when the task was done with (M-10).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CleanedUp {
    /// Whether the branch went too.
    pub branch: bool,
    /// What could not be done and does not matter enough to fail.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// When.
    pub at: Timestamp,
}

/// A check that failed elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedCheck {
    /// Its name.
    pub name: String,
    /// Where its log is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// What is known of a landing to have broken something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Regression {
    /// What broke, in somebody's words.
    pub reason: String,
    /// The checks that failed, where that is how it was found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<FailedCheck>,
    /// The task that mends it.
    pub fix: TaskId,
    /// When.
    pub at: Timestamp,
}

/// What is known of a landed commit from where it was pushed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Verified {
    /// Its checks passed there.
    Passed,
    /// Its checks failed there.
    Failed,
    /// It could not be found out.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// What followed a task's work.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Aftermath {
    /// Where the task comes from, if it is about another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// How it landed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landed: Option<Landed>,
    /// What was taken away last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleaned: Option<CleanedUp>,
    /// How its branch last met its target before landing (M-9).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rebased: Option<Rebased>,
    /// How its branch came to hold the inverse of another's work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverted: Option<Inverted>,
    /// The task that takes it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverted_by: Option<TaskId>,
    /// What is known of what landed from where it was pushed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
    /// What it broke.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regression: Option<Regression>,
}

impl Aftermath {
    pub(super) fn is_blank(&self) -> bool {
        *self == Self::default()
    }
}
