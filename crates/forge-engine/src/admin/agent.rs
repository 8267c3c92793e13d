//! Agents: registration and pausing.

use crate::admin::agent_program::AgentPrograms;
use crate::admin::name;
use crate::command::clock::Clock;
use crate::command::commit::Commands;
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::id_source::IdSource;
use crate::command::lookup::{RecordReader, require_found};
use crate::execution::server_environment::{AgentVariables, ServerEnvironment};
use forge_agent::{ExecutorConfig, ExecutorError};
use forge_domain::{Actor, AgentId, ProjectId, Timestamp};
use forge_store::tables::{self, agents::AgentRow};
use forge_store::{Db, Tx};
use std::sync::Arc;

/// An agent to be registered.
#[derive(Debug, Clone)]
pub struct AgentSpec {
    pub name: String,
    /// The configuration of its program.
    pub executor: serde_json::Value,
    pub roles: Vec<String>,
    /// How many executions it may run at once.
    pub max_concurrent: i64,
    /// Whether it is removed after its work.
    pub ephemeral: bool,
    /// The agent that takes over when its quota is used up (E-9).
    pub fallback: Option<AgentId>,
}

const MOST_CONCURRENT: i64 = 1000;

/// Registered agents: registration, changes, pausing, probing.
#[derive(Debug, Clone)]
pub struct Agents {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: IdSource,
    pub(crate) agent_programs: AgentPrograms,
    pub(crate) commands: Commands,
    pub(crate) environment: Arc<ServerEnvironment>,
    pub(crate) records: RecordReader,
}

impl Agents {
    /// Registers an agent of the server, which works for every project.
    pub async fn create_agent(
        &self,
        actor: Actor,
        asked: AgentSpec,
    ) -> Result<AgentRow, EngineError> {
        self.register_agent(actor, None, asked).await
    }

    /// Registers an agent of one project (S-6).
    pub async fn create_project_agent(
        &self,
        actor: Actor,
        project: ProjectId,
        asked: AgentSpec,
    ) -> Result<AgentRow, EngineError> {
        let project = self.records.project(project).await?;
        self.register_agent(actor, Some(project.id), asked).await
    }

    /// The names of an agent's variables, by origin.
    pub fn environment_of(&self, agent: &AgentRow) -> Result<AgentVariables, EngineError> {
        let executor = ExecutorConfig::from_json(&agent.executor);
        let executor = executor.map_err(|error| EngineError::Corrupt(error.to_string()))?;
        Ok(self.environment.agent_variables(&executor))
    }

    async fn register_agent(
        &self,
        actor: Actor,
        project_id: Option<ProjectId>,
        asked: AgentSpec,
    ) -> Result<AgentRow, EngineError> {
        name::check(&asked.name)?;
        check_executor(&asked.executor)?;
        self.agent_programs.check_program(&asked.executor).await?;
        check_limit(asked.max_concurrent)?;
        if let Some(fallback) = asked.fallback {
            let row = tables::agents::load(&self.db, fallback).await?;
            require_found(row.filter(|other| can_replace(project_id, other)), "agent", fallback)?;
        }
        let now = self.clock.now();
        let agent = Arc::new(AgentRow {
            id: AgentId::new(self.ids.next(now)),
            name: asked.name,
            executor: asked.executor,
            roles: asked.roles,
            paused: false,
            max_concurrent: asked.max_concurrent,
            ephemeral: asked.ephemeral,
            fallback: asked.fallback,
            project_id,
            version: 1,
            created_at: now,
            updated_at: now,
            removed_at: None,
        });
        let duplicate =
            EngineError::Duplicate { noun: "agent", field: "name", value: agent.name.clone() };
        let written = self
            .db
            .write(move |tx| {
                let (agent, actor) = (agent.clone(), actor.clone());
                Box::pin(async move {
                    tables::agents::insert(tx, &agent).await?;
                    let event = event("agent.created", &agent, now);
                    append_events(tx, event_stream_of(&agent), &actor, &[event]).await?;
                    Ok::<_, EngineError>((*agent).clone())
                })
            })
            .await;
        match written {
            Err(EngineError::Store(error)) if error.is_duplicate() => Err(duplicate),
            other => other,
        }
    }

    /// Pauses or resumes an agent; repeating it changes nothing.
    pub async fn pause_agent(
        &self,
        actor: Actor,
        id: AgentId,
        pause: bool,
    ) -> Result<AgentRow, EngineError> {
        let now = self.clock.now();
        let kind = if pause { "agent.paused" } else { "agent.resumed" };
        self.db
            .write(move |tx| {
                let actor = actor.clone();
                Box::pin(async move {
                    let mut agent =
                        require_found(tables::agents::lock(tx, id).await?, "agent", id)?;
                    if !pause {
                        // The user who resumes it knows better than its last answer whether it can work (E-9).
                        end_quota_wait(tx, id, now).await?;
                    }
                    if agent.paused != pause {
                        agent.paused = pause;
                        agent.updated_at = now;
                        // The row is locked, so its version is still current.
                        tables::agents::update(tx, &agent).await?;
                        agent.version += 1;
                        let event = event(kind, &agent, now);
                        append_events(tx, event_stream_of(&agent), &actor, &[event]).await?;
                    }
                    Ok(agent)
                })
            })
            .await
    }
}

/// Ends an agent's quota wait: the scheduler may assign tasks to it, and waiting executions start.
pub(crate) async fn end_quota_wait(
    tx: &mut Tx,
    id: AgentId,
    now: Timestamp,
) -> Result<(), EngineError> {
    tables::agent_waits::end_wait(tx, id).await?;
    tables::effects::hasten_quota(tx, id, now).await?;
    Ok(())
}

pub(crate) fn check_executor(executor: &serde_json::Value) -> Result<(), EngineError> {
    let problem = |error: ExecutorError| EngineError::InvalidField {
        field: "executor",
        problem: error.to_string(),
    };
    ExecutorConfig::from_json(executor).map(drop).map_err(problem)
}

pub(crate) fn check_limit(max_concurrent: i64) -> Result<(), EngineError> {
    if (1..=MOST_CONCURRENT).contains(&max_concurrent) {
        return Ok(());
    }
    let problem = format!("must be between 1 and {MOST_CONCURRENT}");
    Err(EngineError::InvalidField { field: "max_concurrent", problem })
}

/// Whether `other` may take over for an agent of this project, or of the server.
pub(crate) fn can_replace(project: Option<ProjectId>, other: &AgentRow) -> bool {
    match project {
        Some(project) => other.works_for(project),
        None => other.project_id.is_none(),
    }
}

/// The event stream of an agent: its project's, or the server's.
pub(crate) fn event_stream_of(agent: &AgentRow) -> ProjectId {
    agent.project_id.unwrap_or(tables::counters::NO_PROJECT)
}

pub(crate) fn event(kind: &str, agent: &AgentRow, at: Timestamp) -> tables::events::NewEvent {
    let data = serde_json::json!({ "id": agent.id, "name": agent.name, "paused": agent.paused });
    tables::events::NewEvent { kind: kind.to_owned(), version: agent.version, at, data }
}
