//! What a decision needs to know besides the task itself. Loaded in the same transaction; absent means not asked for.

use crate::workflow::Standing;
use crate::{AgentId, Assignee, Budget, ParentFacts, TaskId, TokenUsage, TurnFacts};

/// Facts about the task's surroundings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// The project takes no claims by agents.
    pub project_paused: bool,
    /// The project has a repository, or needs none.
    pub has_repository: bool,
    /// The agent that is to claim.
    pub claimer: Option<AgentFacts>,
    /// What the scheduler has to keep to; only asked for when it is the one who claims.
    pub dispatch: Option<DispatchFacts>,
    /// What was used so far, and how much of it the project allows (E-8).
    pub budget: BudgetFacts,
    /// Who goes on in the place of an agent whose allowance is used up (E-9); only asked for then.
    pub substitute: Option<Substitute>,
    /// The task's dependencies.
    pub dependencies: Vec<DependencyFacts>,
    /// The way from a would-be dependency back to this task, if there is one: the cycle the new edge would close.
    pub way_back: Vec<String>,
    /// Whether a would-be dependency is in the same project.
    pub same_project: bool,
    /// Whether a would-be dependency is a turn in another task's workspace.
    pub is_turn: bool,
    /// The parent of a turn (T-17); only asked for then.
    pub parent: Option<ParentFacts>,
    /// The turns in the task's workspace, in the order in which they are taken.
    pub turns: Vec<TurnFacts>,
    /// Whether a would-be dependency is this task's parent or child.
    pub is_family: bool,
    /// Whether the project has what lands watched where it was pushed; only asked for when something has landed.
    pub verifies_landings: bool,
    /// Seconds until the workspace of a cancelled task goes, when the workflow does not say.
    pub cleanup_delay_seconds: u64,
}

/// What was used, at the moment of a decision that may begin a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BudgetFacts {
    /// By the task so far.
    pub used_by_task: TokenUsage,
    /// By the project so far.
    pub used_by_project: TokenUsage,
    /// What the project allows.
    pub of_project: Budget,
}

/// An agent that takes over, and the name of the one whose place it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substitute {
    /// Who goes on.
    pub agent: AgentId,
    /// Its name.
    pub name: String,
    /// Who it goes on for.
    pub in_place_of: String,
}

/// An agent at the moment of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentFacts {
    /// Takes no work.
    pub paused: bool,
    /// Its allowance is used up; binds the scheduler only, since who claims by hand has looked.
    pub quota_wait: bool,
    /// Executions under way.
    pub running: u32,
    /// How many it may have.
    pub max_concurrent: u32,
}

/// What a project says about being served by the scheduler, at the moment of its claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DispatchFacts {
    /// Its tasks are given out by themselves, and nobody paused that as a whole.
    pub on: bool,
    /// Executions of agents under way in the project.
    pub running: u32,
    /// How many it may have.
    pub max_concurrent: Option<u32>,
}

/// A task that must end first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependencyFacts {
    /// Which one.
    pub task_id: TaskId,
    /// How people call it.
    pub key: String,
    /// How far it has come.
    pub standing: Standing,
    /// Who last submitted it.
    pub holder: Option<Assignee>,
}
