//! What follows the work on a task: how it met its target, what landed, what was taken away, and what it led to.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::Task;

/// Has the target merged into a task's branch (SPEC M-9).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RebaseTask {
    /// What whoever works on the task is told besides.
    #[serde(default)]
    pub message: Option<String>,
}

/// How a branch met its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RebaseOutcome {
    /// The target is merged in, and committed.
    Merged,
    /// Both sides stand in the files, with git's marks around them.
    Conflict,
    /// The branch had all of its target.
    UpToDate,
}

/// What merging the target into a branch gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rebase {
    /// How it ended.
    pub outcome: RebaseOutcome,
    /// The target branch.
    pub target: String,
    /// The branch's commit; `null` unless it was merged.
    #[schema(required)]
    pub commit: Option<String>,
    /// The files that conflict.
    pub files: Vec<String>,
}

/// A task whose branch met its target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RebasedTask {
    /// The task.
    pub task: Task,
    /// What merging the target gave; `null` if the task was called off before.
    #[schema(required)]
    pub rebase: Option<Rebase>,
}

/// Says that what a task landed broke something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewRegression {
    /// What broke; it becomes part of the description of the task that mends it.
    pub reason: String,
}

/// A task that takes back or mends what another landed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SuccessorTask {
    /// The task.
    pub task: Task,
    /// Whether it was made now; one that was asked for before is named again.
    pub made: bool,
    /// The files where later work stands in the way of a revert.
    pub conflicts: Vec<String>,
}

/// Why a task was made for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OriginKind {
    /// It takes back what the other landed.
    Revert,
    /// It mends what the other broke.
    Fix,
}

/// The task that another was made for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskOrigin {
    /// Why.
    pub kind: OriginKind,
    /// The task.
    pub task_id: Uuid,
}

/// How a landing ended that counts as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LandingOutcome {
    /// The target holds the commit.
    Merged,
    /// The target had all of it already (SPEC M-8).
    NothingToMerge,
}

/// How a task's work came to its target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Landing {
    /// How it ended.
    pub outcome: LandingOutcome,
    /// The commit it is there as; `null` if there was nothing to merge.
    #[schema(required)]
    pub commit: Option<String>,
    /// The target branch.
    pub target: String,
    /// What is known of it from where it was pushed; `null` if nothing is, or nobody looks (`merge.verify`).
    #[schema(required)]
    pub verified: Option<LandingVerified>,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
}

/// What was taken away when a task was done with its workspace (SPEC M-10).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct CleanupReport {
    /// Whether the worktree is gone.
    pub worktree: bool,
    /// Whether the branch is gone; its commits stay in the archive.
    pub branch: bool,
    /// Whether git's record of the worktree is gone.
    pub record: bool,
    /// What could not be done and does not matter enough to fail.
    pub warnings: Vec<String>,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
}

/// What is known of a landed commit from where it was pushed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LandingVerified {
    /// Its checks passed there.
    Passed,
    /// Its checks failed there.
    Failed,
    /// It could not be found out.
    Unknown,
}

/// A check that failed elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FailedCheck {
    /// Its name.
    pub name: String,
    /// Where its log is.
    #[schema(required)]
    pub url: Option<String>,
}

/// What a landing is known to have broken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Regression {
    /// What broke.
    pub reason: String,
    /// The checks that failed, where that is how it was found.
    pub checks: Vec<FailedCheck>,
    /// The task that mends it.
    pub fix_id: Uuid,
    /// When it was said.
    #[schema(format = DateTime)]
    pub at: String,
}
