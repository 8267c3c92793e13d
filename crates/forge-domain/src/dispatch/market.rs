//! What the scheduler chooses from: tasks that wait, agents that could take them, and how much room there is.

use crate::workflow::RoleName;
use crate::{AgentId, ProjectId, TaskId, Timestamp};
use std::collections::BTreeMap;

/// Everything one round looks at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Market {
    /// How many more executions this node takes.
    pub room: u32,
    /// The projects that have something waiting; a candidate of any other project is passed over.
    pub projects: BTreeMap<ProjectId, Share>,
    /// The agents that take work, busy or not, in an order that decides between equals.
    pub workers: Vec<Worker>,
    /// What waits and could begin now.
    pub waiting: Vec<Candidate>,
}

/// What a project has of the agents' time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Share {
    /// Executions of agents under way.
    pub running: u32,
    /// How many it may have.
    pub max_concurrent: Option<u32>,
    /// When one of its tasks was last given to an agent.
    pub served_at: Option<Timestamp>,
}

/// An agent that takes work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Which.
    pub id: AgentId,
    /// The roles it takes; none named means every one.
    pub roles: Vec<RoleName>,
    /// Executions under way.
    pub running: u32,
    /// How many it may have.
    pub max_concurrent: u32,
}

/// A task that waits for nothing but an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Which.
    pub task: TaskId,
    /// Its board.
    pub project: ProjectId,
    /// The role its claimer takes.
    pub role: RoleName,
    /// The agent that holds this role already.
    pub only: Option<AgentId>,
    /// The agent that handed it off last: somebody else's turn, if there is somebody.
    pub avoid: Option<AgentId>,
    /// The negated priority: lower goes first.
    pub urgency: i64,
    /// Its number on the board: lower is older.
    pub number: i64,
}

/// One task for one agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assignment {
    /// The task.
    pub task: TaskId,
    /// Who claims it.
    pub agent: AgentId,
}

impl Share {
    /// Whether it may have one more.
    pub fn has_room(&self) -> bool {
        self.max_concurrent.is_none_or(|max| self.running < max)
    }
}

impl Worker {
    /// Whether it may have one more.
    pub fn has_room(&self) -> bool {
        self.running < self.max_concurrent
    }

    /// Whether it is one for this role.
    pub fn takes(&self, role: &RoleName) -> bool {
        self.roles.is_empty() || self.roles.contains(role)
    }

    /// Whether this task is one for it. Who was given the role by name holds it, whatever they take otherwise.
    pub fn suits(&self, candidate: &Candidate) -> bool {
        match candidate.only {
            Some(agent) => agent == self.id,
            None => self.takes(&candidate.role),
        }
    }
}
