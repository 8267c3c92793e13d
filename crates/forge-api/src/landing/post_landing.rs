//! Everything after the work on a task: rebase, landing, verification, cleanup, revert and regression.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Task;

/// Request to merge the target branch into a task's branch (SPEC M-9).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RebaseTask {
    /// Additional message for the agent or user that works on the task.
    #[serde(default)]
    #[schema(max_length = 100_000)]
    pub message: Option<String>,
}

/// Request to accept work that landed outside Forge (SPEC W-19).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AcceptLanded {
    /// Why the work is accepted.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Outcome of merging the target into a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RebaseOutcome {
    /// The target is merged in and committed.
    Merged,
    /// The files contain both sides between git's conflict markers.
    Conflict,
    /// The branch already contained all of its target.
    UpToDate,
}

/// Result of merging the target into a branch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RebaseReport {
    /// How the merge ended.
    pub outcome: RebaseOutcome,
    /// The target branch.
    pub target: String,
    /// The new commit of the branch; `null` unless the target was merged.
    #[schema(required)]
    pub commit: Option<String>,
    /// The files that conflict.
    pub files: Vec<String>,
}

/// Answer to a rebase request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RebasedTask {
    /// The task after the rebase.
    pub task: Task,
    /// Result of the merge; `null` if the task was cancelled before it ran.
    #[schema(required)]
    pub rebase: Option<RebaseReport>,
}

/// Report that a landed task broke something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewRegression {
    /// What broke. Forge copies it into the description of the task that fixes it.
    #[schema(min_length = 1, max_length = 10_000)]
    pub reason: String,
}

/// The task that reverts or fixes what another task landed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SuccessorTask {
    /// The new or existing task.
    pub task: Task,
    /// Whether this request created the task; `false` if an earlier request did.
    pub made: bool,
    /// Files in which later work conflicts with the revert.
    pub conflicts: Vec<String>,
}

/// Why Forge created a task for another task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OriginKind {
    /// It reverts what the other task landed.
    Revert,
    /// It fixes what the other task broke.
    Fix,
}

/// The task for which Forge created this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskOrigin {
    /// Why Forge created it.
    pub kind: OriginKind,
    /// The original task.
    pub task_id: Uuid,
}

/// Outcome of a successful landing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LandingOutcome {
    /// The target contains the commit.
    Merged,
    /// The target already contained all changes (SPEC M-8).
    NothingToMerge,
}

/// How a task's work reached its target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LandingReport {
    /// How the landing ended.
    pub outcome: LandingOutcome,
    /// The landed commit; `null` if there was nothing to merge.
    #[schema(required)]
    pub commit: Option<String>,
    /// The target branch.
    pub target: String,
    /// Result of verifying the pushed commit; `null` while unknown, or if `merge.verify` is off.
    #[schema(required)]
    pub verified: Option<LandingVerified>,
    /// Time of the landing.
    #[schema(format = DateTime)]
    pub at: String,
}

/// What Forge removed when it cleaned up a task's workspace (SPEC M-10).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CleanupReport {
    /// Whether the worktree was removed.
    pub worktree: bool,
    /// Whether the branch was removed; its commits stay in the archive.
    pub branch: bool,
    /// Whether git's record of the worktree was removed.
    pub record: bool,
    /// Steps of the cleanup that failed without failing the cleanup.
    pub warnings: Vec<String>,
    /// Time of the cleanup.
    #[schema(format = DateTime)]
    pub at: String,
}

/// Result of verifying a landed commit on the remote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LandingVerified {
    /// All of its checks passed.
    Passed,
    /// At least one check failed.
    Failed,
    /// The result could not be determined.
    Unknown,
}

/// A check that failed on the remote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FailedCheck {
    /// Name of the check.
    pub name: String,
    /// Address of its log, if the remote gave one.
    #[schema(required)]
    pub url: Option<String>,
}

/// Report of what a landing broke.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RegressionReport {
    /// What the landing broke.
    pub reason: String,
    /// The checks that failed, if checks found the regression.
    pub checks: Vec<FailedCheck>,
    /// The task that fixes it.
    pub fix_id: Uuid,
    /// Time of the report.
    #[schema(format = DateTime)]
    pub at: String,
}
