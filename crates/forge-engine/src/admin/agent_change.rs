//! Changes to an agent.

use crate::admin::agent::{
    Agents, can_replace, check_executor, check_limit, end_quota_wait, event, event_stream_of,
};
use crate::admin::name;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::lookup::require_found;
use forge_domain::{Actor, AgentId, Refusal};
use forge_store::tables::{self, agents::AgentRow};
use serde_json::Value;
use std::sync::Arc;

/// Shown in place of a secret value.
pub const HIDDEN: &str = "[redacted]";

/// A change to an agent; absent fields stay.
#[derive(Debug, Clone, Default)]
pub struct AgentChange {
    /// The version that the caller read.
    pub version: i64,
    pub name: Option<String>,
    /// The configuration of its program. A variable with the value [`HIDDEN`] keeps its value.
    pub executor: Option<Value>,
    pub roles: Option<Vec<String>>,
    /// How many executions it may run at once.
    pub max_concurrent: Option<i64>,
    /// The agent that takes over when its quota is used up (E-9).
    pub fallback: Option<Option<AgentId>>,
}

impl Agents {
    /// Changes an agent; its running executions continue unchanged.
    pub async fn update_agent(
        &self,
        actor: Actor,
        id: AgentId,
        patch: AgentChange,
    ) -> Result<AgentRow, EngineError> {
        if let Some(new) = &patch.name {
            name::check(new)?;
        }
        if let Some(limit) = patch.max_concurrent {
            check_limit(limit)?;
        }
        if let Some(executor) = &patch.executor {
            // Another kind is refused below, whatever its program.
            let known = self.records.agent(id).await?.executor;
            if executor.get("kind") == known.get("kind") {
                self.agent_programs.check_program(executor).await?;
            }
        }
        if patch.fallback == Some(Some(id)) {
            let problem = "must be another agent".to_owned();
            return Err(EngineError::InvalidField { field: "fallback", problem });
        }
        let (now, patch) = (self.clock.now(), Arc::new(patch));
        let value = patch.name.clone().unwrap_or_default();
        let written = self.db.write(move |tx| {
            let (actor, patch) = (actor.clone(), patch.clone());
            Box::pin(async move {
                let mut agent = require_found(tables::agents::lock(tx, id).await?, "agent", id)?;
                if agent.version != patch.version {
                    let (expected, actual) = (patch.version, agent.version);
                    return Err(Refusal::VersionConflict { noun: "agent", expected, actual }.into());
                }
                if let Some(Some(other)) = patch.fallback {
                    let row = tables::agents::load_in(tx, other).await?;
                    let row = row.filter(|row| can_replace(agent.project_id, row));
                    require_found(row, "agent", other)?;
                }
                let before = agent.executor.clone();
                patch.apply(&mut agent)?;
                if agent.executor != before {
                    // With another key or program the last known login state is out of date (E-9).
                    end_quota_wait(tx, id, now).await?;
                }
                agent.updated_at = now;
                // The row is locked, so its version is still current.
                tables::agents::update(tx, &agent).await?;
                agent.version += 1;
                let event = event("agent.updated", &agent, now);
                append_events(tx, event_stream_of(&agent), &actor, &[event]).await?;
                Ok::<_, EngineError>(agent)
            })
        });
        match written.await {
            Err(EngineError::Store(error)) if error.is_duplicate() => {
                Err(EngineError::Duplicate { noun: "agent", field: "name", value })
            }
            other => other,
        }
    }
}

impl AgentChange {
    fn apply(&self, agent: &mut AgentRow) -> Result<(), EngineError> {
        let Self { name, executor, roles, max_concurrent, fallback, version: _ } = self;
        if let Some(new) = executor {
            let new = with_hidden_values(new.clone(), &agent.executor);
            check_executor(&new)?;
            if new.get("kind") != agent.executor.get("kind") {
                // Its sessions and transcripts belong to the program that it had.
                let problem = "its kind stays what it is; add another agent".to_owned();
                return Err(EngineError::InvalidField { field: "executor.kind", problem });
            }
            agent.executor = new;
        }
        agent.name = name.clone().unwrap_or_else(|| agent.name.clone());
        agent.roles = roles.clone().unwrap_or_else(|| agent.roles.clone());
        agent.max_concurrent = max_concurrent.unwrap_or(agent.max_concurrent);
        agent.fallback = fallback.unwrap_or(agent.fallback);
        Ok(())
    }
}

/// Restores hidden values: a client that read the agent has not seen them.
fn with_hidden_values(mut executor: Value, known: &Value) -> Value {
    let variables = executor.get_mut("environment").and_then(Value::as_object_mut);
    for (name, value) in variables.into_iter().flatten() {
        if value == HIDDEN
            && let Some(known) = known.get("environment").and_then(|known| known.get(name))
        {
            value.clone_from(known);
        }
    }
    executor
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    #[test]
    fn s_6_a_value_that_was_not_shown_is_kept() {
        let known = json!({ "environment": { "KEY": "hunter2", "OLD": "gone" } });
        let asked = json!({ "environment": { "KEY": HIDDEN, "NEW": "x", "ODD": HIDDEN } });
        let kept = json!({ "environment": { "KEY": "hunter2", "NEW": "x", "ODD": HIDDEN } });
        assert_eq!(with_hidden_values(asked, &known), kept);
        assert_eq!(with_hidden_values(json!({}), &known), json!({}));
    }
}
