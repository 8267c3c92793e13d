//! Checking, stopping and restarting executions (SPEC T-13, T-22).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{Execution, NextStep, Task};

/// Overview of all executions and workspaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentsCheck {
    /// Agents that are working.
    pub running: Vec<AgentFinding>,
    /// Agents that show no activity, and tasks whose agent was stopped for that reason.
    pub stuck: Vec<AgentFinding>,
    /// Tasks whose last execution, or the preparation of one, failed.
    pub failed: Vec<AgentFinding>,
    /// Tasks with a workspace that wait for a person: for a decision, a verdict or a clean checkout.
    #[serde(default)]
    pub waiting: Vec<AgentFinding>,
    /// Workspaces of unfinished tasks in which no agent or user works.
    pub abandoned: Vec<AgentFinding>,
}

/// One entry of the overview.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AgentFinding {
    /// Identifier of the task.
    pub task_id: Uuid,
    /// The task's project.
    pub project_id: Uuid,
    /// The task's key, for example `T-12`.
    pub key: String,
    /// Title of the task.
    pub title: String,
    /// Workflow state of the task.
    pub status: String,
    /// The current execution, otherwise the last one.
    #[schema(required)]
    pub execution_id: Option<Uuid>,
    /// The agent of that execution.
    #[schema(required)]
    pub agent_id: Option<Uuid>,
    /// The role of that execution.
    #[schema(required)]
    pub role: Option<String>,
    /// Path of its worktree.
    #[schema(required)]
    pub worktree: Option<String>,
    /// The observation behind the classification.
    pub evidence: String,
    /// Since when this holds.
    #[schema(format = DateTime)]
    pub since: String,
    /// Age in seconds.
    pub age_seconds: u64,
    /// Suggested next actions, best first.
    #[serde(default)]
    pub next: Vec<NextStep>,
}

/// Activity of an execution. Secrets are redacted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ExecutionPulse {
    /// The observed execution.
    pub execution: Execution,
    /// Time of the last activity: output, or a changed file.
    #[schema(format = DateTime, required)]
    pub last_activity_at: Option<String>,
    /// Seconds since the last activity.
    #[schema(required)]
    pub silent_seconds: Option<u64>,
    /// Since when it counts as stalled.
    #[schema(format = DateTime, required)]
    pub stalled_since: Option<String>,
    /// Time of the last output.
    #[schema(format = DateTime, required)]
    pub last_output_at: Option<String>,
    /// The last output of the agent.
    pub last_output: String,
    /// The tool in use, if the program reports it.
    #[schema(required)]
    pub current_tool: Option<String>,
    /// Tokens used so far, if the program reports them.
    #[schema(required)]
    pub tokens: Option<TokenCount>,
    /// Files with uncommitted changes.
    pub files: Vec<String>,
    /// Whether there are more such files.
    pub more_files: bool,
}

/// Number of tokens that an execution used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TokenCount {
    /// Input tokens, cached ones included.
    pub input: u64,
    /// Number of output tokens.
    pub output: u64,
}

/// Request to stop an execution. The task stays in its state, and Forge starts nothing by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StopExecution {
    /// Why it is stopped; the task records it.
    #[serde(default)]
    pub reason: Option<String>,
}

/// How to restart an execution.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RestartMode {
    /// With a new conversation; the files stay as they are.
    #[default]
    Fresh,
    /// With the previous conversation.
    Resume,
}

/// Request to restart an execution.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RestartExecution {
    /// How to restart; `fresh` if left out.
    #[serde(default)]
    pub mode: RestartMode,
}

/// Request to mark an execution as failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FailExecution {
    /// Why it failed; the task records it.
    #[serde(default)]
    pub reason: Option<String>,
}

/// Answer to stopping, restarting or failing an execution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RescueResponse {
    /// The task after the request.
    pub task: Task,
    /// The execution; after a restart, the new one.
    pub execution: Execution,
}
