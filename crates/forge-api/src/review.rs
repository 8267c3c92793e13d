//! Attempts at a gate (SPEC M-2, M-3).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

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
    /// What the reviewer said.
    #[schema(required)]
    pub verdict: Option<Verdict>,
    /// What the coder is told.
    #[schema(required)]
    pub feedback: Option<String>,
    /// When it began.
    #[schema(format = DateTime)]
    pub started_at: String,
    /// When it ended.
    #[schema(format = DateTime, required)]
    pub finished_at: Option<String>,
}
