//! Input of the scheduler: waiting tasks, agents that could take them, and free capacity.

use crate::workflow::RoleName;
use crate::{AgentId, ProjectId, TaskId, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// Input of one scheduling round.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DispatchInput {
    /// Number of further executions that this node can run.
    pub capacity: u32,
    /// Projects with waiting tasks. Candidates of other projects are ignored.
    pub projects: BTreeMap<ProjectId, ProjectShare>,
    /// Agents that accept work, busy or not. Their order breaks ties.
    pub agents: Vec<DispatchAgent>,
    /// Tasks that could start now.
    pub candidates: Vec<DispatchCandidate>,
}

/// A project's use of the agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProjectShare {
    /// Number of agent executions under way.
    pub running: u32,
    /// Maximum number of executions at the same time.
    pub max_concurrent: Option<u32>,
    /// Time at which a task of the project was last assigned to an agent.
    pub served_at: Option<Timestamp>,
}

/// An agent that accepts work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DispatchAgent {
    pub id: AgentId,
    /// The project that owns the agent; an agent of the server takes tasks of every project (S-6).
    pub project: Option<ProjectId>,
    /// Roles that the agent accepts; empty means all roles.
    pub roles: Vec<RoleName>,
    /// Number of executions under way.
    pub running: u32,
    /// Maximum number of executions at the same time.
    pub max_concurrent: u32,
}

/// A task that waits only for an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DispatchCandidate {
    pub task: TaskId,
    pub project: ProjectId,
    /// Role that a claim gives.
    pub role: RoleName,
    /// The agent that already holds this role.
    pub holder: Option<AgentId>,
    /// The agent that handed it off last; other agents come first.
    pub handed_off_by: Option<AgentId>,
    /// Agents that handed it off in this visit; they do not get it again (T-20).
    pub declined_by: BTreeSet<AgentId>,
    /// The negated priority: a lower number goes first.
    pub urgency: i64,
    /// Task number on the board: a lower number is older.
    pub number: i64,
}

/// An assignment of one task to one agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskAssignment {
    pub task: TaskId,
    pub agent: AgentId,
}

impl ProjectShare {
    /// Whether the project may run another execution.
    pub fn has_room(&self) -> bool {
        self.max_concurrent.is_none_or(|max| self.running < max)
    }
}

impl DispatchAgent {
    /// Whether the agent may run another execution.
    pub fn has_room(&self) -> bool {
        self.running < self.max_concurrent
    }

    /// Whether the agent accepts this role.
    pub(crate) fn accepts_role(&self, role: &RoleName) -> bool {
        self.roles.is_empty() || self.roles.contains(role)
    }

    /// Whether the agent can take this candidate. An agent that holds the role by name may take it regardless of its
    /// accepted roles.
    pub fn can_take(&self, candidate: &DispatchCandidate) -> bool {
        if self.project.is_some_and(|own| own != candidate.project) {
            return false;
        }
        match candidate.holder {
            Some(agent) => agent == self.id,
            None => self.accepts_role(&candidate.role) && !candidate.declined_by.contains(&self.id),
        }
    }
}
