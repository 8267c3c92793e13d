//! Runs of an agent or a person on a task, and their logs (SPEC §5).

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::Usage;

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionStatus {
    /// Recorded; nothing has begun.
    Pending,
    /// The workspace is made ready.
    Preparing,
    /// The agent or person works.
    Running,
    /// The process tree is being ended.
    Stopping,
    /// It has ended; `outcome` says how.
    Finished,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionOutcome {
    /// The agent ended well.
    Succeeded,
    /// The agent ended with an error, or could not be started.
    Failed,
    /// It took longer than allowed.
    TimedOut,
    /// Somebody stopped it; the task stays where it is.
    Stopped,
    /// The task was cancelled or given to somebody else.
    Cancelled,
    /// The process was gone after a restart.
    Lost,
}

/// One run of one agent or person on one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Execution {
    /// Identifier.
    pub id: Uuid,
    /// The task.
    pub task_id: Uuid,
    /// In which role.
    pub role: String,
    /// The agent, if one works.
    #[schema(required)]
    pub agent_id: Option<Uuid>,
    /// The person, if one works.
    #[schema(required)]
    pub user_id: Option<Uuid>,
    /// How far it is.
    pub status: ExecutionStatus,
    /// How it ended.
    #[schema(required)]
    pub outcome: Option<ExecutionOutcome>,
    /// The agent's exit code.
    #[schema(required)]
    pub exit_code: Option<i32>,
    /// The signal that ended the agent.
    #[schema(required)]
    pub signal: Option<i32>,
    /// When the agent or person began.
    #[schema(format = DateTime, required)]
    pub started_at: Option<String>,
    /// When it ended.
    #[schema(format = DateTime, required)]
    pub finished_at: Option<String>,
    /// The commit the branch was at when it ended.
    #[schema(required)]
    pub commit: Option<String>,
    /// It ended without any change; `null` until that is known.
    #[schema(required)]
    pub no_changes: Option<bool>,
    /// The conversation that a follow-up goes on with; `null` if the program named none.
    #[schema(required)]
    pub session_id: Option<String>,
    /// What was used; `null` if the program did not tell.
    #[schema(required)]
    pub usage: Option<Usage>,
    /// Why it failed, in the program's words.
    #[schema(required)]
    pub failure: Option<ExecutionFailure>,
    /// How much output is stored.
    pub log_bytes: u64,
}

/// The kinds of failure that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FailureClass {
    /// The agent's allowance is used up for now; it waits.
    Quota,
    /// The agent is not logged in, or may not do this.
    Auth,
    /// It died, or ended badly without a word about why.
    Crash,
    /// It said that it failed.
    Error,
}

/// Why a run failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ExecutionFailure {
    /// What kind.
    pub class: FailureClass,
    /// What the program said.
    pub message: String,
    /// When its allowance is back, if the program said so.
    #[schema(format = DateTime, required)]
    pub until: Option<String>,
}

/// Which part of a log to read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LogQuery {
    /// The byte to begin at; 0 if left out.
    #[serde(default)]
    pub from: Option<u64>,
    /// How many bytes at most.
    #[serde(default)]
    pub limit: Option<u32>,
}

/// A part of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LogPage {
    /// The text; bytes that are not UTF-8 are replaced.
    pub text: String,
    /// The byte it begins at.
    pub from: u64,
    /// The byte after it: `from` of the next request.
    pub next: u64,
    /// Nothing follows and nothing will.
    pub end: bool,
}
