//! Reviews: attempts of a task at a gate (SPEC M-2, M-3).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{RoleAssignee, Task};

/// State of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewStatus {
    /// Checks are running, or the verdict is pending.
    Running,
    /// The change may land.
    Passed,
    /// The change was rejected.
    Failed,
    /// The environment prevented the review; the attempt does not count.
    Blocked,
    /// The work changes nothing, so no check ran and the attempt does not count; a person approves it or sends it
    /// back.
    NoChanges,
    /// The task left the gate before the attempt ended.
    Superseded,
}

/// The answer of a reviewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReviewVerdict {
    /// The change is good.
    Pass,
    /// The change needs corrections.
    Fail,
    /// The change could not be judged.
    Blocked,
}

/// Outcome of one check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepOutcome {
    /// Exit code 0.
    Passed,
    /// Any other exit code, or a signal.
    Failed,
    /// It exceeded its time limit.
    TimedOut,
    /// It was stopped from outside.
    Stopped,
    /// It failed while its failures are ignored.
    Quarantined,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StepResult {
    /// The command as configured.
    pub command: String,
    /// Exit code; `null` if the command did not exit by itself.
    #[schema(required)]
    pub exit_code: Option<i32>,
    /// How the check ended.
    pub outcome: StepOutcome,
    /// Duration in milliseconds.
    pub duration_ms: u64,
    /// The end of the output.
    pub output_tail: String,
    /// Offset of its output in the attempt's log, in bytes.
    pub log_from: u64,
    /// End of its output in the attempt's log, in bytes.
    pub log_to: u64,
}

/// One attempt of a task at a gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Review {
    pub id: Uuid,
    /// The task under review.
    pub task_id: Uuid,
    /// State of the attempt.
    pub status: ReviewStatus,
    /// Number of the attempt, from 1.
    pub attempt_number: u32,
    /// The commit under review.
    #[schema(required)]
    pub commit: Option<String>,
    /// Results of the checks so far, in order.
    pub step_results: Vec<StepResult>,
    /// The attempt that the results were copied from, if an identical tree had passed the same checks before.
    #[schema(required)]
    pub taken_from: Option<ReviewOrigin>,
    /// The decision of the gate.
    #[schema(required)]
    pub verdict: Option<ReviewVerdict>,
    /// Feedback for the coder.
    #[schema(required)]
    pub feedback: Option<String>,
    /// Whether a rejection counts against the gate's attempts. Rejections by people do not.
    pub counted: bool,
    /// The decision of a person or reviewer, if the checks did not decide alone.
    #[schema(required)]
    pub decided: Option<ReviewDecision>,
    /// When it began.
    #[schema(format = DateTime)]
    pub started_at: String,
    /// When it ended.
    #[schema(format = DateTime, required)]
    pub finished_at: Option<String>,
}

/// The source of reused check results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewOrigin {
    /// The attempt that ran the checks; `null` if they ran on a trial of the merge train.
    #[schema(required)]
    pub review_id: Option<Uuid>,
    /// When the checks passed.
    #[schema(format = DateTime)]
    pub at: String,
}

/// The decision of a person or reviewer about an attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewDecision {
    /// The agent or user that decided.
    pub by: RoleAssignee,
    /// Why, unless the attempt's `feedback` says it.
    #[schema(required)]
    pub reason: Option<String>,
    /// Whether it overrides the gate's own decision.
    pub overrides: bool,
    /// Time of the decision.
    #[schema(format = DateTime)]
    pub at: String,
}

/// Request of a reviewer to give a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewVerdict {
    /// The reviewer's answer.
    pub verdict: ReviewVerdict,
    /// What to change, or what prevented the review; required unless the verdict is `pass`.
    #[serde(default)]
    #[schema(max_length = 100_000)]
    pub feedback: Option<String>,
}

/// Request to approve an attempt.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ApproveReview {
    /// Why; required if the gate decided otherwise.
    #[serde(default)]
    #[schema(max_length = 100_000)]
    pub reason: Option<String>,
}

/// Request to reject an attempt and send the work back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RejectReview {
    /// What to change; the coder's prompt contains it.
    #[schema(min_length = 1, max_length = 100_000)]
    pub reason: String,
}

/// Answer to an approval or a rejection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReviewResponse {
    /// The task after the decision.
    pub task: Task,
    /// The attempt after the decision.
    pub review: Review,
}
