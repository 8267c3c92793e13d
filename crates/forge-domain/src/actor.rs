//! Who does something, and who something is given to.

use crate::{AgentId, ExecutionId, UserId};
use serde::{Deserialize, Serialize};

/// Who caused a change. A type, not a string: nobody can claim to be somebody by spelling a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Actor {
    /// A person.
    User {
        /// Which one.
        id: UserId,
    },
    /// An agent, from inside one of its executions.
    Agent {
        /// Which one.
        id: AgentId,
        /// The run it speaks from.
        execution: ExecutionId,
    },
    /// Forge itself.
    System {
        /// The part of Forge.
        component: String,
    },
}

const SCHEDULER: &str = "scheduler";

impl Actor {
    /// A part of Forge.
    pub fn system(component: &str) -> Self {
        Self::System { component: component.to_owned() }
    }

    /// The part of Forge that gives tasks to agents.
    pub fn scheduler() -> Self {
        Self::system(SCHEDULER)
    }

    /// Whether the scheduler acts.
    pub fn is_scheduler(&self) -> bool {
        matches!(self, Self::System { component } if component == SCHEDULER)
    }

    /// Whether a person acts.
    pub fn is_person(&self) -> bool {
        matches!(self, Self::User { .. })
    }
}

/// Who holds a role on a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Assignee {
    /// An agent: Forge starts its program.
    Agent {
        /// Which one.
        id: AgentId,
    },
    /// A person: Forge makes the workspace and waits.
    User {
        /// Which one.
        id: UserId,
    },
}

impl Assignee {
    /// The agent, if it is one.
    pub fn agent(&self) -> Option<AgentId> {
        match self {
            Self::Agent { id } => Some(*id),
            Self::User { .. } => None,
        }
    }

    /// The person, if it is one.
    pub fn user(&self) -> Option<UserId> {
        match self {
            Self::User { id } => Some(*id),
            Self::Agent { .. } => None,
        }
    }
}
