//! Changing an agent.

use super::agent::{check_executor, check_limit, event};
use super::name;
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::lookup::found;
use forge_domain::{Actor, AgentId, Refusal};
use forge_store::tables::{self, agents::Agent};
use serde_json::Value;
use std::sync::Arc;

/// What is shown instead of a value that is not given out again.
pub const HIDDEN: &str = "[redacted]";

/// What is to change of an agent; the rest stays.
#[derive(Debug, Clone, Default)]
pub struct AgentPatch {
    /// The version that was read.
    pub version: i64,
    /// Its name.
    pub name: Option<String>,
    /// How its program is called. A variable whose value is [`HIDDEN`] keeps its value.
    pub executor: Option<Value>,
    /// The roles it takes.
    pub roles: Option<Vec<String>>,
    /// How many executions it may have at once.
    pub max_concurrent: Option<i64>,
    /// Who takes over when its allowance is used up (E-9).
    pub fallback: Option<Option<AgentId>>,
}

impl Engine {
    /// Changes an agent; what it runs goes on as it was begun.
    pub async fn update_agent(
        &self,
        actor: Actor,
        id: AgentId,
        patch: AgentPatch,
    ) -> Result<Agent, EngineError> {
        if let Some(new) = &patch.name {
            name::check(new)?;
        }
        if let Some(limit) = patch.max_concurrent {
            check_limit(limit)?;
        }
        if patch.fallback == Some(Some(id)) {
            let problem = "must be another agent".to_owned();
            return Err(EngineError::InvalidField { field: "fallback", problem });
        }
        let (now, patch) = (self.now(), Arc::new(patch));
        let value = patch.name.clone().unwrap_or_default();
        let written = self.0.db.write(move |tx| {
            let (actor, patch) = (actor.clone(), patch.clone());
            Box::pin(async move {
                let mut agent = found(tables::agents::lock(tx, id).await?, "agent", id)?;
                if agent.version != patch.version {
                    let (expected, actual) = (patch.version, agent.version);
                    return Err(Refusal::VersionConflict { noun: "agent", expected, actual }.into());
                }
                if let Some(Some(other)) = patch.fallback {
                    found(tables::agents::load_in(tx, other).await?, "agent", other)?;
                }
                patch.apply(&mut agent)?;
                agent.updated_at = now;
                // The row is locked, so the version just read is the version that is there.
                tables::agents::update(tx, &agent).await?;
                agent.version += 1;
                let event = event("agent.updated", &agent, now);
                let room = tables::counters::NO_PROJECT;
                tables::events::append(tx, room, &actor, None, &[event]).await?;
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

impl AgentPatch {
    fn apply(&self, agent: &mut Agent) -> Result<(), EngineError> {
        let Self { name, executor, roles, max_concurrent, fallback, version: _ } = self;
        if let Some(new) = executor {
            let new = with_hidden_values(new.clone(), &agent.executor);
            check_executor(&new)?;
            if new.get("kind") != agent.executor.get("kind") {
                // Its sessions, and what its runs print, are those of the program it has been.
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

/// Who read an agent and writes it back has not seen the values of its variables.
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
