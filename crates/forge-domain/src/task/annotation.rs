//! Why a task needs attention.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// What went wrong, shown on the task until it moves on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotation {
    /// Which trouble.
    #[serde(rename = "type")]
    pub kind: AnnotationType,
    /// What happened and what to do.
    pub message: String,
    /// Evidence: files, exit codes, paths.
    pub details: serde_json::Value,
    /// Since when.
    pub at: Timestamp,
}

/// The troubles a task can be in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnnotationType {
    /// A person said so.
    Parked,
    /// Nobody holds the role this state needs.
    RoleUnassigned,
    /// A person stopped its run; nothing goes on by itself (T-13).
    Stopped,
    /// The agent has shown no sign of life for a while (T-23).
    Stalled,
    /// The agent showed no sign of life for so long that its run was stopped (T-23).
    Stuck,
    /// The agent's program failed.
    ExecutionFailed,
    /// The agent's allowance is used up; it goes on by itself when it is back.
    QuotaWait,
    /// A budget is used up; it goes on by itself when it is raised (E-8).
    BudgetExhausted,
    /// The agent's process was lost with its server, again and again.
    ExecutionLost,
    /// The gate rejected it too often.
    GateExhausted,
    /// The checks could not run at all.
    ChecksBroken,
    /// The reviewer could not judge.
    ReviewBlocked,
    /// The branch has moved since it was reviewed.
    Unreviewed,
    /// The branch does not fit on its target.
    MergeConflict,
    /// The checks fail on what landing the branch would make of its target.
    MergeChecksFailed,
    /// A person's local changes stand in the way of the landing.
    TargetCheckoutDirty,
    /// What landed could not be pushed to where the repository is from (M-17).
    PushFailed,
    /// The project lands by pull requests, and its repository is not where there are any (M-16).
    PullRequestUnavailable,
    /// Somebody closed the pull request without merging it (M-16).
    PullRequestClosed,
    /// The other side refuses to open or to merge the pull request (M-16).
    PullRequestFailed,
    /// The landing happened although the task had been called off meanwhile.
    LandedAfterAll,
    /// What landed broke something.
    Regressed,
    /// The workspace could not be made or used.
    WorkspaceError,
    /// The project's setup of the workspace failed; the agent was not started.
    SetupFailed,
    /// The workspace is not what Forge made it.
    WorkspaceCorrupted,
    /// The workspace and its branch are gone.
    WorkspaceResetRequired,
    /// A turn cannot be taken: its parent has no workspace, or nobody to carry it (T-17).
    ParentWorkspaceRequired,
    /// The next of its turns cannot go on, so none of the later ones does (T-17).
    TurnStopped,
    /// A durable step failed for good.
    StepFailed,
}
