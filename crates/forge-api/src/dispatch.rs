//! Giving tasks to agents by themselves, and why a task waits (SPEC E-10, E-11).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// Whether and how a project's tasks go to agents by themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DispatchSettings {
    /// Whether claimable tasks are given to agents that are free.
    #[serde(default)]
    pub enabled: bool,
    /// How many executions of agents the project may have at once when one more is given out; `null` for no limit.
    #[serde(default)]
    pub max_concurrent: Option<u32>,
    /// Whether a task waits while its branch clashes with that of one that is at work or about to land.
    #[serde(default)]
    pub hold_conflicts: bool,
}

/// What keeps a claimable task from being given to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WaitCode {
    /// The project is paused.
    ProjectPaused,
    /// The project's tasks are not given out by themselves.
    DispatchOff,
    /// Dispatch is paused as a whole.
    DispatchPaused,
    /// A person has to look at the task's error first.
    NeedsAttention,
    /// A person holds the role.
    HeldByPerson,
    /// Its last run is still being ended.
    Ending,
    /// Another task must end well first.
    Dependency,
    /// Its branch clashes with that of a task that is at work or about to land.
    ConflictHold,
    /// A budget is used up.
    BudgetExhausted,
    /// The project has no repository.
    NoRepository,
    /// No agent is registered for the role.
    NoAgent,
    /// All agents that could take it are paused.
    AgentPaused,
    /// The allowance of all agents that could take it, or of the one that has it, is used up.
    QuotaWait,
    /// All agents that could take it are busy.
    AgentAtCapacity,
    /// The project has as many executions as it may.
    ProjectAtCapacity,
    /// The server has as many executions as it may.
    NodeAtCapacity,
    /// The disk is nearly full.
    DiskLow,
    /// Memory is nearly used up.
    MemoryLow,
    /// Processes wait for the machine too much.
    PressureHigh,
    /// Nothing but those before it.
    NextInLine,
}

/// One reason why a task waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WaitReason {
    /// Which.
    pub code: WaitCode,
    /// The same in words, with what to do about it.
    pub message: String,
    /// What it is about: the tasks it waits for, the agents that are busy; empty where there is nothing to name.
    pub subjects: Vec<String>,
}

/// Why a task waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TaskWaiting {
    /// The task.
    pub task_id: Uuid,
    /// How people call it.
    pub key: String,
    /// Its status.
    pub status: String,
    /// Whether it is one that an agent can be given.
    pub claimable: bool,
    /// What keeps it, the first thing to do something about first; empty if it does not wait.
    pub reasons: Vec<WaitReason>,
    /// Its place among the equally served of its project; `null` while something else keeps it.
    #[schema(required)]
    pub place: Option<u64>,
}

/// How giving out tasks stands on this server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Dispatch {
    /// Since when nothing is given out by itself; `null` while it is.
    #[schema(format = DateTime, required)]
    pub paused_at: Option<String>,
    /// Executions of agents under way here.
    pub running: u32,
    /// How many may be; `null` for no limit.
    #[schema(required)]
    pub max_concurrent: Option<u32>,
    /// What the machine lacks to begin another.
    pub lacks: Vec<WaitReason>,
}
