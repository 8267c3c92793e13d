//! Probes an agent's program: whether it is installed and signed in (E-9).

use crate::admin::agent::{Agents, end_quota_wait, event, event_stream_of};
use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::command::lookup::require_found;
use forge_agent::{AgentKind, ExecutorConfig, InstalledAgent, probe_agents, probe_executor};
use forge_domain::{Actor, AgentId};
use forge_store::tables::{self, agent_waits::WaitCause, agents::AgentRow};

impl Agents {
    /// Probes the default program of each kind in the server's environment.
    pub async fn probe_programs(&self) -> Result<Vec<InstalledAgent>, EngineError> {
        let environment: Vec<_> = self.environment.vars().collect();
        probe_agents(AgentKind::ALL.to_vec(), &environment).await.map_err(|error| {
            EngineError::InvalidField { field: "executor", problem: error.to_string() }
        })
    }

    /// Probes an agent's program in the environment of its executions. If it is signed in, ends the agent's wait for a
    /// login.
    pub async fn probe_agent(
        &self,
        actor: Actor,
        id: AgentId,
    ) -> Result<(AgentRow, InstalledAgent), EngineError> {
        let agent = self.records.agent(id).await?;
        let executor = ExecutorConfig::from_json(&agent.executor).map_err(|error| {
            EngineError::InvalidField { field: "executor", problem: error.to_string() }
        })?;
        let known = &self.environment;
        let environment: Vec<_> =
            known.vars().chain(known.passed_variables(executor.passed_variables())).collect();
        let installed = probe_executor(&executor, &environment).await;
        let now = self.clock.now();
        let wait = tables::agent_waits::of_agent(&self.db, id, now).await?;
        let waits_for_login = wait.is_some_and(|wait| wait.cause == WaitCause::Login);
        if !waits_for_login || !installed.login.is_some_and(|login| login.is_signed_in()) {
            return Ok((agent, installed));
        }
        let agent = self
            .db
            .write(move |tx| {
                let actor = actor.clone();
                Box::pin(async move {
                    let agent = require_found(tables::agents::lock(tx, id).await?, "agent", id)?;
                    end_quota_wait(tx, id, now).await?;
                    let events = [event("agent.resumed", &agent, now)];
                    append_events(tx, event_stream_of(&agent), &actor, &events).await?;
                    Ok::<_, EngineError>(agent)
                })
            })
            .await?;
        Ok((agent, installed))
    }
}
