//! Executions of an agent or a user on a task, and their logs (SPEC §5).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{ClaimOverrides, UsageAmount};

/// Progress of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionStatus {
    /// Recorded; nothing has started.
    Pending,
    /// Forge is preparing the workspace.
    Preparing,
    /// The agent or user is working.
    Running,
    /// Forge is stopping the process tree.
    Stopping,
    /// Ended; `outcome` says how.
    Finished,
}

/// How an execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionOutcome {
    /// The agent succeeded.
    Succeeded,
    /// The agent failed or could not be started.
    Failed,
    /// It exceeded its time limit.
    TimedOut,
    /// It reached the deadline of its claim.
    DeadlineReached,
    /// A person stopped it; the task stays in its state.
    Stopped,
    /// The task was cancelled or assigned to another agent or user.
    Cancelled,
    /// The process was gone after a restart of the server.
    Lost,
}

/// One execution of an agent or a user on a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Execution {
    pub id: Uuid,
    /// The task it works on.
    pub task_id: Uuid,
    /// The role in which it works.
    pub role: String,
    /// The agent, if an agent works.
    #[schema(required)]
    pub agent_id: Option<Uuid>,
    /// The user, if a user works.
    #[schema(required)]
    pub user_id: Option<Uuid>,
    /// Progress of the execution.
    pub status: ExecutionStatus,
    /// How it ended; `null` before the end.
    #[schema(required)]
    pub outcome: Option<ExecutionOutcome>,
    /// The exit code of the agent program.
    #[schema(required)]
    pub exit_code: Option<i32>,
    /// The signal that ended the agent program.
    #[schema(required)]
    pub signal: Option<i32>,
    /// When the agent or user started working.
    #[schema(format = DateTime, required)]
    pub started_at: Option<String>,
    /// When it ended.
    #[schema(format = DateTime, required)]
    pub finished_at: Option<String>,
    /// The commit of the branch at the end of the execution.
    #[schema(required)]
    pub commit: Option<String>,
    /// Whether it ended without any change; `null` until known.
    #[schema(required)]
    pub no_changes: Option<bool>,
    /// The conversation that a follow-up continues; `null` if the program named none.
    #[schema(required)]
    pub session_id: Option<String>,
    /// Tokens and cost; `null` if the program did not report them.
    #[schema(required)]
    pub usage: Option<UsageAmount>,
    /// Why it failed, in the program's words.
    #[schema(required)]
    pub failure: Option<ExecutionFailure>,
    /// What its claim changed about the agent's settings; `null` if nothing.
    #[schema(required)]
    pub overrides: Option<ClaimOverrides>,
    /// Size of the stored output in bytes.
    pub log_bytes: u64,
}

/// The classes of failure that Forge distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// The agent's quota is used up; the agent waits.
    Quota,
    /// The agent is not signed in, or lacks a permission.
    Auth,
    /// The program crashed or failed without a reason.
    Crash,
    /// The program reported an error.
    Error,
}

/// Why an execution failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExecutionFailure {
    /// Class of the failure.
    pub class: FailureClass,
    /// Message of the program.
    pub message: String,
    /// When the quota is available again, if the program said so.
    #[schema(format = DateTime, required)]
    pub until: Option<String>,
}

/// Query of a part of a log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// The first byte; 0 if left out.
    #[serde(default)]
    pub from: Option<u64>,
    /// Maximum number of bytes.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A part of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LogPage {
    /// The text; bytes that are not UTF-8 are replaced.
    pub text: String,
    /// Offset of the first byte.
    pub from: u64,
    /// Offset after the last byte: `from` of the next request.
    pub next: u64,
    /// Whether this is the end: nothing follows now or later.
    pub end: bool,
}
