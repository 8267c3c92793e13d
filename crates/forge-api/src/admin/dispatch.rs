//! Automatic dispatch, and why a task waits (SPEC E-10, E-11).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Settings of a project's automatic dispatch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DispatchSettings {
    /// Whether Forge assigns claimable tasks to free agents by itself.
    #[serde(default)]
    pub enabled: bool,
    /// Maximum number of concurrent agent executions in the project, checked at each assignment; `null` for no limit.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 1000)]
    pub max_concurrent: Option<u32>,
    /// Whether a task waits while its branch conflicts with the branch of a task that is being worked on or about to
    /// land.
    #[serde(default)]
    pub hold_conflicts: bool,
}

/// Reasons that keep a claimable task from being assigned to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitCode {
    /// The project is paused.
    ProjectPaused,
    /// Automatic dispatch is off for the project.
    DispatchOff,
    /// Dispatch is paused on this server.
    DispatchPaused,
    /// A person has to look at the task's error first.
    NeedsAttention,
    /// A user holds the role.
    HeldByPerson,
    /// The last execution is still being stopped.
    Ending,
    /// A dependency has not succeeded yet.
    Dependency,
    /// Its branch conflicts with the branch of a task that is being worked on or about to land.
    ConflictHold,
    /// A budget is used up.
    BudgetExhausted,
    /// The project has no repository.
    NoRepository,
    /// No agent is registered for the role.
    NoAgent,
    /// Every agent that can hold the role has handed the task off.
    HandedOff,
    /// Every suitable agent is paused.
    AgentPaused,
    /// The programs of all suitable agents are missing on the server.
    ProgramMissing,
    /// The quota of every suitable agent, or of the assigned one, is used up.
    QuotaWait,
    /// Every suitable agent, or the assigned one, is not signed in.
    NotSignedIn,
    /// Every suitable agent is at its limit.
    AgentAtCapacity,
    /// The project is at its limit of executions.
    ProjectAtCapacity,
    /// The server is at its limit of executions.
    NodeAtCapacity,
    /// The disk is nearly full.
    DiskLow,
    /// Memory is nearly exhausted.
    MemoryLow,
    /// The machine is overloaded (pressure stall).
    PressureHigh,
    /// Only the tasks ahead of it in the queue.
    NextInLine,
}

/// One reason for which a task waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitReason {
    /// Code of the reason, for programs.
    pub code: WaitCode,
    /// The reason in words, with what to do about it.
    pub message: String,
    /// The objects it is about, for example unfinished dependencies or busy agents; empty if there is nothing to
    /// name.
    pub subjects: Vec<String>,
}

/// What has to act before a task continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitsFor {
    /// A person; the task is in the list of tasks that need a person.
    Person,
    /// A person who queues or claims it.
    Queueing,
    /// An agent that claims it.
    Agent,
    /// The agent or user that works on it.
    Execution,
    /// The gate's checks.
    Checks,
    /// The landing into its target branch.
    Landing,
    /// A short effect of the server.
    Server,
    /// A known time, or a lost connection.
    Time,
    /// Ordered turns in its own or its parent's workspace.
    Turns,
    /// Nothing: the task has ended or is archived.
    Nothing,
}

/// A suggested action for a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NextStep {
    /// Label for people.
    pub label: String,
    /// The command that does it; replace the words in capitals.
    pub command: String,
}

/// What a task waits for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskWaiting {
    /// Identifier of the task.
    pub task_id: Uuid,
    /// The task's key, for example `T-12`.
    pub key: String,
    /// The task's status.
    pub status: String,
    /// What has to act before the task continues.
    pub waits_for: WaitsFor,
    /// What it waits for and why, in words.
    pub message: String,
    /// Why it waits for a person: the type of its error_annotation, or one of `review_passed`, `verdict`,
    /// `pull_request`, `claim`, `decision`; `null` if it does not wait for a person.
    #[schema(required)]
    pub person_reason: Option<String>,
    /// Since when it waits for a person; `null` if it does not.
    #[schema(format = DateTime, required)]
    pub since: Option<String>,
    /// The files involved: files in conflict, or files that block the landing.
    pub files: Vec<String>,
    /// Suggested next actions for the caller, best first.
    pub next: Vec<NextStep>,
    /// Whether an agent can claim it.
    pub claimable: bool,
    /// Reasons that keep it from being assigned to an agent, most important first; empty if it is not waiting.
    pub reasons: Vec<WaitReason>,
    /// Its position among the project's tasks of equal service; `null` if something else keeps it.
    #[schema(required)]
    pub place: Option<u64>,
}

/// State of automatic dispatch on this server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DispatchStatus {
    /// When dispatch was paused; `null` while it is running.
    #[schema(format = DateTime, required)]
    pub paused_at: Option<String>,
    /// Number of agent executions on this server.
    pub running: u32,
    /// Maximum number of agent executions; `null` for no limit.
    #[schema(required)]
    pub max_concurrent: Option<u32>,
    /// Resources that the machine lacks for another execution.
    pub lacks: Vec<WaitReason>,
}
