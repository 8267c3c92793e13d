//! Actors, who cause changes, and assignees, who hold roles.

use crate::{AgentId, ExecutionId, UserId};
use serde::{Deserialize, Serialize};

/// The actor that caused a change. A type instead of a string: a caller cannot pose as another actor by spelling a
/// name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Actor {
    User {
        id: UserId,
    },
    /// An agent, inside one of its executions.
    Agent {
        id: AgentId,
        /// The execution in which the agent acts.
        execution: ExecutionId,
    },
    System {
        /// Name of the Forge component.
        component: String,
    },
}

const SCHEDULER: &str = "scheduler";

impl Actor {
    /// An actor for a component of Forge.
    pub fn system(component: &str) -> Self {
        Self::System { component: component.to_owned() }
    }

    /// The scheduler, which assigns tasks to agents.
    pub fn scheduler() -> Self {
        Self::system(SCHEDULER)
    }

    /// Whether the actor is the scheduler.
    pub fn is_scheduler(&self) -> bool {
        matches!(self, Self::System { component } if component == SCHEDULER)
    }

    /// Whether the actor is a person.
    pub fn is_person(&self) -> bool {
        matches!(self, Self::User { .. })
    }
}

/// The agent or user that holds a role on a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Assignee {
    /// An agent. Forge starts its program.
    Agent { id: AgentId },
    /// A person. Forge prepares the workspace and waits.
    User { id: UserId },
}

impl Assignee {
    /// The agent, if the assignee is an agent.
    pub fn agent(&self) -> Option<AgentId> {
        match self {
            Self::Agent { id } => Some(*id),
            Self::User { .. } => None,
        }
    }

    /// The user, if the assignee is a person.
    pub fn user(&self) -> Option<UserId> {
        match self {
            Self::User { id } => Some(*id),
            Self::Agent { .. } => None,
        }
    }
}
