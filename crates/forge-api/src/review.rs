//! Attempts at a gate (SPEC M-2, M-3).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Assignee, Task};

/// How an attempt stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewStatus {
    /// Checks run, or the verdict is waited for.
    Running,
    /// The content may land.
    Passed,
    /// The content was rejected.
    Failed,
    /// The environment was in the way; no attempt was spent.
    Blocked,
    /// The task left the gate before the attempt ended.
    Superseded,
}

/// What a reviewer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Good.
    Pass,
    /// To be corrected.
    Fail,
    /// Could not be judged.
    Blocked,
}

/// How one check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// Exit code 0.
    Passed,
    /// Any other exit code, or a signal.
    Failed,
    /// It took longer than allowed.
    TimedOut,
    /// It was stopped from outside.
    Stopped,
    /// It failed while nobody is blamed for its failures.
    Quarantined,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StepResult {
    /// The command as configured.
    pub command: String,
    /// Its exit code; `null` if it did not exit by itself.
    #[schema(required)]
    pub exit_code: Option<i32>,
    /// How it ended.
    pub outcome: StepOutcome,
    /// How long it took.
    pub duration_ms: u64,
    /// The end of its output.
    pub output_tail: String,
    /// Where its output begins in the attempt's log, in bytes.
    pub log_from: u64,
    /// Where it is over.
    pub log_to: u64,
}

/// One attempt of a task at a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// Identifier.
    pub id: Uuid,
    /// The task.
    pub task_id: Uuid,
    /// How it stands.
    pub status: ReviewStatus,
    /// Counts up with each attempt.
    pub attempt_number: u32,
    /// The commit that was checked.
    #[schema(required)]
    pub commit: Option<String>,
    /// The checks' results so far, in order.
    pub step_results: Vec<StepResult>,
    /// The attempt whose results these are, if an equal tree had passed the same checks before.
    #[schema(required)]
    pub taken_from: Option<ReviewOrigin>,
    /// What the gate decided.
    #[schema(required)]
    pub verdict: Option<Verdict>,
    /// What the coder is told.
    #[schema(required)]
    pub feedback: Option<String>,
    /// Whether the rejection counts against the gate's attempts. Those by people do not.
    pub counted: bool,
    /// Who decided, if it was not the checks alone.
    #[schema(required)]
    pub decided: Option<ReviewDecision>,
    /// When it began.
    #[schema(format = DateTime)]
    pub started_at: String,
    /// When it ended.
    #[schema(format = DateTime, required)]
    pub finished_at: Option<String>,
}

/// Where results come from that did not have to be made again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewOrigin {
    /// The attempt that ran the checks; `null` if they ran on a trial of the merge train.
    #[schema(required)]
    pub review_id: Option<Uuid>,
    /// When they passed.
    #[schema(format = DateTime)]
    pub at: String,
}

/// Somebody's word about an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewDecision {
    /// Whose.
    pub by: Assignee,
    /// Why, where it is not the attempt's `feedback`.
    #[schema(required)]
    pub reason: Option<String>,
    /// It stands against the gate's own verdict.
    pub overrides: bool,
    /// When.
    #[schema(format = DateTime)]
    pub at: String,
}

/// A reviewer's verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewVerdict {
    /// What it is.
    pub verdict: Verdict,
    /// What to change, or what stood in the way; needed unless it passes.
    #[serde(default)]
    pub feedback: Option<String>,
}

/// Lets an attempt pass.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApproveReview {
    /// Why; needed where the gate has decided otherwise.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Sends the work of an attempt back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RejectReview {
    /// What to change; the coder is told it.
    pub reason: String,
}

/// What came of a person's word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reviewed {
    /// The task.
    pub task: Task,
    /// The attempt.
    pub review: Review,
}
