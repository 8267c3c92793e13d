//! Actors and ids of the tests, by small numbers.

use forge_domain::workflow::{RoleName, StateName};
use forge_domain::{Actor, AgentId, Assignee, ExecutionId, TaskId, UserId};
use uuid::Uuid;

/// The `n`-th identifier; equal numbers give equal identifiers.
pub(crate) fn uuid(n: u64) -> Uuid {
    Uuid::from_u64_pair(0x0190_0000_0000_7000, 0x8000_0000_0000_0000 | n)
}

fn agent(n: u64) -> AgentId {
    AgentId::new(uuid(0x1000 + n))
}

pub(crate) fn task_id(n: u64) -> TaskId {
    TaskId::new(uuid(0x2000 + n))
}

fn user(n: u64) -> UserId {
    UserId::new(uuid(0x3000 + n))
}

pub(crate) fn by_agent(n: u64) -> Assignee {
    Assignee::Agent { id: agent(n) }
}

pub(crate) fn by_user(n: u64) -> Assignee {
    Assignee::User { id: user(n) }
}

/// A person as actor.
pub(crate) fn person(n: u64) -> Actor {
    Actor::User { id: user(n) }
}

/// An agent as actor, inside an execution.
pub(crate) fn agent_actor(n: u64, execution: ExecutionId) -> Actor {
    Actor::Agent { id: agent(n), execution }
}

/// Forge itself as actor.
pub(crate) fn machine() -> Actor {
    Actor::system("tests")
}

pub(crate) fn name(state: &str) -> StateName {
    StateName::new(state)
}

pub(crate) fn role(role: &str) -> RoleName {
    RoleName::new(role)
}
