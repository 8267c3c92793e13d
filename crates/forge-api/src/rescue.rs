//! Looking after agents (SPEC T-13, T-22).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Execution, Task};

/// All runs and workspaces at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentsCheck {
    /// Agents at work.
    pub running: Vec<AgentFinding>,
    /// Agents that show no sign of life, and tasks whose agent was stopped for that.
    pub stuck: Vec<AgentFinding>,
    /// Tasks whose last run, or what should have led to one, failed.
    pub failed: Vec<AgentFinding>,
    /// Workspaces of tasks that are not finished, in which nobody works.
    pub abandoned: Vec<AgentFinding>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentFinding {
    /// The task.
    pub task_id: Uuid,
    /// Its project.
    pub project_id: Uuid,
    /// Its number as people write it.
    pub key: String,
    /// Its title.
    pub title: String,
    /// The workflow state it is in.
    pub status: String,
    /// The run under way, else the last one.
    #[schema(required)]
    pub execution_id: Option<Uuid>,
    /// The agent of that run.
    #[schema(required)]
    pub agent_id: Option<Uuid>,
    /// Its role.
    #[schema(required)]
    pub role: Option<String>,
    /// Where it works or worked.
    #[schema(required)]
    pub worktree: Option<String>,
    /// What tells so.
    pub evidence: String,
    /// Since when it is so.
    #[schema(format = DateTime)]
    pub since: String,
    /// How long that is.
    pub age_seconds: u64,
}

/// How a run is doing; secrets are masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Pulse {
    /// The run.
    pub execution: Execution,
    /// The last sign of life: output, or a changed file.
    #[schema(format = DateTime, required)]
    pub last_activity_at: Option<String>,
    /// How long ago that was.
    #[schema(required)]
    pub silent_seconds: Option<u64>,
    /// Since when it counts as stalled.
    #[schema(format = DateTime, required)]
    pub stalled_since: Option<String>,
    /// When it last printed.
    #[schema(format = DateTime, required)]
    pub last_output_at: Option<String>,
    /// What it last said.
    pub last_output: String,
    /// The tool it uses right now, where its program tells.
    #[schema(required)]
    pub current_tool: Option<String>,
    /// What it used so far, where its program tells.
    #[schema(required)]
    pub tokens: Option<TokenCount>,
    /// The files it is changing: those that are not committed.
    pub files: Vec<String>,
    /// There are more of them.
    pub more_files: bool,
}

/// What a run used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenCount {
    /// Tokens read, those from a cache included.
    pub input: u64,
    /// Tokens written.
    pub output: u64,
}

/// Stops a run; the task stays where it is and nothing goes on by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StopExecution {
    /// Why, for the task.
    #[serde(default)]
    pub reason: Option<String>,
}

/// How a run is begun anew.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RestartMode {
    /// With a new conversation; the work stays as it is.
    #[default]
    Fresh,
    /// With the conversation it had.
    Resume,
}

/// Begins a run anew.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RestartExecution {
    /// `fresh` if left out.
    #[serde(default)]
    pub mode: RestartMode,
}

/// Takes a run for failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FailExecution {
    /// Why, for the task.
    #[serde(default)]
    pub reason: Option<String>,
}

/// What came of a rescue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Rescued {
    /// The task.
    pub task: Task,
    /// The run; after a restart, the new one.
    pub execution: Execution,
}
