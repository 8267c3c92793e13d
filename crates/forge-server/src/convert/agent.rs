//! Agents.

use forge_api::{Agent, AgentPatch, Executor, NewAgent};
use forge_domain::AgentId;
use forge_engine::HIDDEN;
use forge_store::tables;

use super::text::invalid;
use super::time::rfc3339;
use crate::failure::Failure;
use crate::refusal::internal;

const LONGEST_ROLE: usize = 100;

/// An agent.
pub(crate) fn agent(row: tables::agents::Agent) -> Result<Agent, Failure> {
    let mut executor: Executor = serde_json::from_value(row.executor)
        .map_err(|error| internal(&format!("the executor of agent {}: {error}", row.id)))?;
    // Whoever may look at an agent need not know its keys.
    for value in executor.environment.values_mut() {
        HIDDEN.clone_into(value);
    }
    Ok(Agent {
        id: row.id.uuid(),
        name: row.name,
        executor,
        roles: row.roles,
        paused: row.paused,
        max_concurrent: u32::try_from(row.max_concurrent).unwrap_or_default(),
        ephemeral: row.ephemeral,
        fallback: row.fallback.map(|id| id.uuid()),
        version: u64::try_from(row.version).unwrap_or_default(),
        created_at: rfc3339(row.created_at),
    })
}

/// An agent that is asked for.
pub(crate) fn asked(asked: NewAgent) -> Result<forge_engine::NewAgent, Failure> {
    check_roles(&asked.roles)?;
    Ok(forge_engine::NewAgent {
        name: asked.name,
        executor: stored(&asked.executor)?,
        roles: asked.roles,
        max_concurrent: asked.max_concurrent.map_or(1, i64::from),
        ephemeral: asked.ephemeral,
        fallback: asked.fallback.map(AgentId::new),
    })
}

/// What is to change of an agent.
pub(crate) fn asked_patch(asked: AgentPatch) -> Result<forge_engine::AgentPatch, Failure> {
    check_roles(asked.roles.as_deref().unwrap_or_default())?;
    Ok(forge_engine::AgentPatch {
        // No row ever has a version this large, so it is stale like any other wrong one.
        version: i64::try_from(asked.version).unwrap_or(i64::MAX),
        name: asked.name,
        executor: asked.executor.as_ref().map(stored).transpose()?,
        roles: asked.roles,
        max_concurrent: asked.max_concurrent.map(i64::from),
        fallback: asked.fallback.map(|other| other.map(AgentId::new)),
    })
}

fn check_roles(roles: &[String]) -> Result<(), Failure> {
    let is_bad = |role: &String| {
        role.trim().is_empty()
            || role.chars().count() > LONGEST_ROLE
            || role.chars().any(char::is_control)
    };
    if roles.iter().any(is_bad) {
        return Err(invalid("roles", "a role is a word of 1 to 100 visible characters"));
    }
    Ok(())
}

fn stored(executor: &Executor) -> Result<serde_json::Value, Failure> {
    serde_json::to_value(executor).map_err(|error| internal(&error.to_string()))
}
