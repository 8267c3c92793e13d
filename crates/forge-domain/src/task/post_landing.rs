//! A task's origin and its record after the work: landing, cleanup, revert, verification, regression.

use crate::branch_update::{RebaseResult, RevertResult};
use crate::workflow::StateName;
use crate::{TaskId, Timestamp};
use serde::{Deserialize, Serialize};

/// The task that a new one reverts or fixes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum OriginTask {
    /// It reverts the other task's landing.
    Revert {
        of: TaskId,
        /// The landed commit.
        commit: String,
        /// The target's commit before the work landed outside Forge, where its commits do not name the task.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<String>,
    },
    /// It fixes a regression of the other task.
    Fix { of: TaskId },
}

impl OriginTask {
    /// Id of the other task.
    pub fn task(&self) -> TaskId {
        match self {
            Self::Revert { of, .. } | Self::Fix { of } => *of,
        }
    }
}

/// Record of a landing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LandingRecord {
    /// The landed commit; `None` if the target already contained the work (M-8).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The target branch.
    pub target: String,
    pub at: Timestamp,
}

/// Record of the cleanup after the task ended (M-10).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CleanupRecord {
    /// Whether the branch was deleted as well.
    pub branch: bool,
    /// Problems that were not serious enough to fail the removal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    pub at: Timestamp,
}

/// A failed remote check of a landed commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegressionCheck {
    pub name: String,
    /// URL of its log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

/// A regression that a landing caused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegressionRecord {
    /// What broke, as reported.
    pub reason: String,
    /// The failed checks, if checks found it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub checks: Vec<RegressionCheck>,
    /// The task that fixes it.
    pub fix: TaskId,
    pub at: Timestamp,
}

/// Result of the remote checks of a landed commit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum VerificationResult {
    /// The remote checks passed.
    Passed,
    /// The remote checks failed.
    Failed,
    /// The result could not be determined.
    Unknown { reason: String },
}

/// A task that its merge state sends back to work, until it lands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingReturn {
    /// The state to which it returns.
    pub to: StateName,
    /// Whether its branch conflicts with the target; else the checks failed on the merged tree.
    pub conflict: bool,
    pub since: Timestamp,
    /// The commit on which the checks failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<String>,
    /// Whether its landing was retried once while it waited. The next failure sends it back, or it could wait for ever
    /// on a target that moves often.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tried_again: bool,
}

/// The record after a task's work.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PostLanding {
    /// The task that this one reverts or fixes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<OriginTask>,
    /// Record of the landing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub landed: Option<LandingRecord>,
    /// Record of the last cleanup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cleaned: Option<CleanupRecord>,
    /// Result of the last merge of the target into the branch before landing (M-9).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rebased: Option<RebaseResult>,
    /// The pending return to work after a failed landing; cleared when the task lands or is sent back too often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returning: Option<PendingReturn>,
    /// Result of applying the revert to its branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inverted: Option<RevertResult>,
    /// The task that reverts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reverted_by: Option<TaskId>,
    /// Result of the remote checks of the landing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<VerificationResult>,
    /// The regression that it caused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regression: Option<RegressionRecord>,
}

impl PostLanding {
    pub(crate) fn is_blank(&self) -> bool {
        *self == Self::default()
    }
}
