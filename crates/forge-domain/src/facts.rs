//! Facts about other records that a decision needs. They are loaded in the same transaction; an absent fact was not
//! needed.

use crate::task::{TaskActivity, TaskSnapshot};
use crate::workflow::{RoleName, TaskStanding};
use crate::{AgentId, Assignee, Budget, ExecutionId, ParentFacts, TaskId, TokenUsage, TurnFacts};
use std::collections::BTreeSet;

/// Facts beside the task itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DecisionFacts {
    /// The project takes no claims by agents.
    pub project_paused: bool,
    /// The project has a repository, or needs none.
    pub has_repository: bool,
    /// The agent that claims the task.
    pub claimer: Option<AgentFacts>,
    /// Limits for the scheduler; loaded only when the scheduler claims.
    pub dispatch: Option<DispatchFacts>,
    /// Usage so far, and the project's budget (E-8).
    pub budget: BudgetFacts,
    /// The agent that replaces one whose quota is used up (E-9); loaded only in that case.
    pub substitute: Option<SubstituteAgent>,
    /// All registered agents; loaded only when every eligible agent handed the task off (T-20).
    pub registered: Vec<RegisteredAgent>,
    /// The task's dependencies.
    pub dependencies: Vec<DependencyFacts>,
    /// Path from a new dependency back to this task, if there is one: the cycle that the new edge would close.
    pub dependency_cycle: Vec<String>,
    /// Whether a new dependency is in the same project.
    pub same_project: bool,
    /// Whether a new dependency is an ordered turn.
    pub is_turn: bool,
    /// The parent of an ordered turn (T-17); loaded only for turns.
    pub parent: Option<ParentFacts>,
    /// The planner of the parent, if it is the actor (S-6); loaded only for agents.
    pub planner: Option<PlannerFacts>,
    /// The ordered turns in the task's workspace, in order.
    pub turns: Vec<TurnFacts>,
    /// Whether a new dependency is this task's parent or child.
    pub is_family: bool,
    /// Whether the project watches the remote checks of landings; loaded only after a landing.
    pub verifies_landings: bool,
    /// Default reviewer for a gate whose role has no holder; loaded only after its checks.
    pub default_reviewer: Option<Assignee>,
    /// Delay of a workspace cleanup, if the workflow names none.
    pub cleanup_delay_seconds: u64,
}

/// A running execution in the role planner of a subtask's parent, which acts on the subtask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannerFacts {
    /// Branch of the parent, if it has one. The planner lands subtasks there and nowhere else.
    pub branch: Option<String>,
}

impl PlannerFacts {
    /// The facts about a parent if this execution is its planner and not being stopped.
    pub fn of(parent: &TaskSnapshot, execution: ExecutionId) -> Option<Self> {
        let stopping = matches!(parent.activity, Some(TaskActivity::Stopping { .. }));
        let run = parent.run.as_ref().filter(|run| run.execution == execution && !stopping)?;
        let workspace = parent.workspace.as_ref().filter(|at| !at.is_plain());
        let branch = workspace.map(|at| at.branch.clone());
        run.role.is_planner().then_some(Self { branch })
    }
}

/// Usage and budget for a decision that may start an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BudgetFacts {
    /// Usage of the task so far.
    pub used_by_task: TokenUsage,
    /// Usage of the project so far.
    pub used_by_project: TokenUsage,
    /// Budget of the project.
    pub of_project: Budget,
}

/// A registered agent, available or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegisteredAgent {
    pub id: AgentId,
    pub name: String,
    /// Roles that the agent accepts; empty means all roles.
    pub roles: Vec<RoleName>,
}

impl RegisteredAgent {
    /// Whether dispatch may assign it a task with this role that these agents handed off.
    pub fn can_take(&self, role: &RoleName, declined_by: &BTreeSet<AgentId>) -> bool {
        let takes = self.roles.is_empty() || self.roles.contains(role);
        takes && !declined_by.contains(&self.id)
    }
}

/// An agent that takes over, and the name of the agent it replaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubstituteAgent {
    /// The agent that takes over.
    pub agent: AgentId,
    pub name: String,
    /// Name of the replaced agent.
    pub replaced_name: String,
}

/// The claiming agent's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentFacts {
    /// Whether the agent accepts no work.
    pub paused: bool,
    /// Whether its quota is used up or it is not signed in. Only the scheduler obeys it, because a person who claims
    /// has looked.
    pub quota_wait: bool,
    /// Number of executions under way.
    pub running: u32,
    /// Maximum number of executions at the same time.
    pub max_concurrent: u32,
}

/// The project's dispatch settings at the time of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DispatchFacts {
    /// Whether dispatch is on for the project and not paused as a whole.
    pub is_on: bool,
    /// Number of agent executions under way in the project.
    pub running: u32,
    /// Maximum number of executions at the same time.
    pub max_concurrent: Option<u32>,
}

/// A dependency of the task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependencyFacts {
    pub task_id: TaskId,
    /// Key of the task, such as `T-12`.
    pub key: String,
    /// Progress of the task.
    pub standing: TaskStanding,
    /// The assignee that last submitted it.
    pub holder: Option<Assignee>,
}
