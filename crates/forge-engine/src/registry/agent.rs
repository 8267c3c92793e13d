//! Agents.

use super::name;
use crate::engine::Engine;
use crate::errors::EngineError;
use crate::lookup::found;
use forge_agent::{Executor, ExecutorError};
use forge_domain::{Actor, AgentId, Timestamp};
use forge_store::tables::{self, agents::Agent};
use std::sync::Arc;

/// An agent to be registered.
#[derive(Debug, Clone)]
pub struct NewAgent {
    /// Its name.
    pub name: String,
    /// Its program.
    pub executor: serde_json::Value,
    /// The roles it takes.
    pub roles: Vec<String>,
    /// How many executions it may have at once.
    pub max_concurrent: i64,
    /// Whether it goes with its work.
    pub ephemeral: bool,
    /// Who takes over when its allowance is used up (E-9).
    pub fallback: Option<AgentId>,
}

const MOST_CONCURRENT: i64 = 1000;

impl Engine {
    /// Registers an agent.
    pub async fn create_agent(&self, actor: Actor, asked: NewAgent) -> Result<Agent, EngineError> {
        name::check(&asked.name)?;
        check_executor(&asked.executor)?;
        check_limit(asked.max_concurrent)?;
        if let Some(fallback) = asked.fallback {
            found(tables::agents::load(self.db(), fallback).await?, "agent", fallback)?;
        }
        let now = self.now();
        let agent = Arc::new(Agent {
            id: AgentId::new(self.0.ids.next(now)),
            name: asked.name,
            executor: asked.executor,
            roles: asked.roles,
            paused: false,
            max_concurrent: asked.max_concurrent,
            ephemeral: asked.ephemeral,
            fallback: asked.fallback,
            version: 1,
            created_at: now,
            updated_at: now,
        });
        let duplicate =
            EngineError::Duplicate { noun: "agent", field: "name", value: agent.name.clone() };
        let written = self
            .0
            .db
            .write(move |tx| {
                let (agent, actor) = (agent.clone(), actor.clone());
                Box::pin(async move {
                    tables::agents::insert(tx, &agent).await?;
                    let event = event("agent.created", &agent, now);
                    tables::events::append(
                        tx,
                        tables::counters::NO_PROJECT,
                        &actor,
                        None,
                        &[event],
                    )
                    .await?;
                    Ok::<_, EngineError>((*agent).clone())
                })
            })
            .await;
        match written {
            Err(EngineError::Store(error)) if error.is_duplicate() => Err(duplicate),
            other => other,
        }
    }

    /// Pauses or resumes an agent; doing so twice changes nothing.
    pub async fn pause_agent(
        &self,
        actor: Actor,
        id: AgentId,
        pause: bool,
    ) -> Result<Agent, EngineError> {
        let now = self.now();
        let kind = if pause { "agent.paused" } else { "agent.resumed" };
        self.0
            .db
            .write(move |tx| {
                let actor = actor.clone();
                Box::pin(async move {
                    let mut agent = found(tables::agents::lock(tx, id).await?, "agent", id)?;
                    if !pause {
                        // Who resumes it knows better than its last answer whether it has quota (E-9).
                        tables::quota::end(tx, id).await?;
                        tables::effects::hasten_quota(tx, id, now).await?;
                    }
                    if agent.paused != pause {
                        agent.paused = pause;
                        agent.updated_at = now;
                        // The row is locked, so the version just read is the version that is there.
                        tables::agents::update(tx, &agent).await?;
                        agent.version += 1;
                        let event = event(kind, &agent, now);
                        tables::events::append(
                            tx,
                            tables::counters::NO_PROJECT,
                            &actor,
                            None,
                            &[event],
                        )
                        .await?;
                    }
                    Ok(agent)
                })
            })
            .await
    }
}

pub(super) fn check_executor(executor: &serde_json::Value) -> Result<(), EngineError> {
    let problem = |error: ExecutorError| EngineError::InvalidField {
        field: "executor",
        problem: error.to_string(),
    };
    Executor::from_json(executor).map(drop).map_err(problem)
}

pub(super) fn check_limit(max_concurrent: i64) -> Result<(), EngineError> {
    if (1..=MOST_CONCURRENT).contains(&max_concurrent) {
        return Ok(());
    }
    let problem = format!("must be between 1 and {MOST_CONCURRENT}");
    Err(EngineError::InvalidField { field: "max_concurrent", problem })
}

pub(super) fn event(kind: &str, agent: &Agent, at: Timestamp) -> tables::events::NewEvent {
    let data = serde_json::json!({ "id": agent.id, "name": agent.name, "paused": agent.paused });
    tables::events::NewEvent { kind: kind.to_owned(), version: agent.version, at, data }
}
