//! Annotations: why a task needs attention.

use crate::Timestamp;
use serde::{Deserialize, Serialize};

/// A problem, shown on the task until it moves on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annotation {
    #[serde(rename = "type")]
    pub kind: AnnotationType,
    /// What happened, and what the user can do about it.
    pub message: String,
    /// Evidence: files, exit codes, paths.
    pub details: serde_json::Value,
    pub at: Timestamp,
}

/// Kinds of problems that a task can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnnotationType {
    /// A person parked the task.
    Parked,
    /// Every agent to which dispatch could assign it handed it off (T-20).
    HandedOff,
    /// The role of this state has no holder.
    RoleUnassigned,
    /// A person stopped its execution; nothing continues by itself (T-13).
    Stopped,
    /// The agent has been silent for a while (T-23).
    Stalled,
    /// The agent was silent for so long that its execution was stopped (T-23).
    Stuck,
    /// The agent's program failed.
    ExecutionFailed,
    /// The agent's quota is used up; the execution starts again when the quota is back.
    QuotaWait,
    /// The agent is not signed in; the execution starts when the agent is resumed or a probe finds it signed in (E-9).
    NotSignedIn,
    /// A budget is used up; the execution starts when it is raised (E-8).
    BudgetExhausted,
    /// The agent's process was lost with its server too often.
    ExecutionLost,
    /// The gate rejected it too often.
    GateExhausted,
    /// The work has no changes; a person approves it or sends it back (E-6).
    NoChanges,
    /// The checks could not run.
    ChecksBroken,
    /// The reviewer could not judge.
    ReviewBlocked,
    /// The branch has moved since its review.
    Unreviewed,
    /// The branch would undo landings of other tasks.
    RevertsLanded,
    /// The branch conflicts with its target.
    MergeConflict,
    /// The checks fail on the merged tree.
    MergeChecksFailed,
    /// A person's uncommitted changes block the landing.
    TargetCheckoutDirty,
    /// The landed commit could not be pushed to the remote (M-17).
    PushFailed,
    /// The project lands by pull requests, but its repository is not on a host that has them (M-16).
    PullRequestUnavailable,
    /// The pull request was closed without a merge (M-16).
    PullRequestClosed,
    /// The host refuses to open or to merge the pull request (M-16).
    PullRequestFailed,
    /// The landing completed although the task had been cancelled meanwhile.
    LandedAfterAll,
    /// The target contains the task's work without a recorded landing; a person must decide.
    LandedOutside,
    /// A dependency has not landed yet; the landing continues once it has (T-6).
    DependencyOpen,
    /// A dependency was cancelled or failed (T-6).
    DependencyFailed,
    /// Another git process holds the lock of the target; the landing continues once the lock is gone.
    TargetLocked,
    /// Its landing broke something.
    Regressed,
    /// The workspace could not be created or used.
    WorkspaceError,
    /// The project's setup of the workspace failed; the agent was not started.
    SetupFailed,
    /// The workspace differs from its record.
    WorkspaceCorrupted,
    /// The git configuration of the repository changed since its registration in a way that could start programs
    /// (W-19).
    RepositoryConfigChanged,
    /// The workspace and its branch are gone.
    WorkspaceResetRequired,
    /// The turn cannot start: its parent has no workspace or no holder (T-17).
    ParentWorkspaceRequired,
    /// The next ordered turn cannot continue, so the later ones wait (T-17).
    TurnStopped,
    /// An effect failed for good.
    // Earlier versions stored `step_failed`.
    #[serde(alias = "step_failed")]
    EffectFailed,
}

impl AnnotationType {
    /// Name of the type on the wire.
    pub fn code(self) -> String {
        let word = serde_json::to_value(self).ok();
        word.and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
    }
}
