//! What a round chooses from, as the database has it.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::dispatch::{Candidate, Market, Share, Worker};
use forge_domain::workflow::RoleName;
use forge_domain::{AgentId, ProjectId, TaskId};
use forge_store::tables::{
    self,
    dispatch::{Load, Served},
    waiting::Waiting,
};
use std::collections::HashSet;

/// More than this is not given out in one go; the next follows at once.
const AT_ONCE: u32 = 64;

/// Who was refused in this go: trying again changes nothing before the next.
#[derive(Debug, Default)]
pub(super) struct PassedOver {
    pub(super) tasks: HashSet<TaskId>,
    pub(super) projects: HashSet<ProjectId>,
    pub(super) agents: HashSet<AgentId>,
}

impl Engine {
    /// Everything one round looks at. Nothing is read that does not matter: where nobody asked to be served nothing
    /// more, and without room no task.
    pub(super) async fn load_market(&self, passed: &PassedOver) -> Result<Market, EngineError> {
        let db = self.db();
        let mut served = tables::dispatch::served(db).await?;
        let spent = tables::budgets::spent(db).await?;
        served.retain(|served| !spent.contains(&served.project_id));
        if served.is_empty() {
            return Ok(Market::default());
        }
        let loads = tables::dispatch::loads(db).await?;
        let room = self.node_room(&loads).await?;
        let workers = self.load_workers(&loads, passed).await?;
        let free =
            workers.iter().map(|worker| worker.max_concurrent.saturating_sub(worker.running));
        let free = free.fold(0, u32::saturating_add).min(room).min(AT_ONCE);
        if free == 0 {
            return Ok(Market::default());
        }
        let projects = served
            .into_iter()
            .filter(|served| !passed.projects.contains(&served.project_id))
            .map(|served| (served.project_id, share(&served, &loads)))
            .collect();
        let held = tables::radar::held(db).await?.into_iter().map(|held| held.task_id);
        let skipped: HashSet<TaskId> = held.chain(passed.tasks.iter().copied()).collect();
        let more = u32::try_from(skipped.len()).unwrap_or(u32::MAX);
        let waiting = tables::waiting::heads(db, free.saturating_add(more)).await?;
        let waiting = waiting.into_iter().filter(|waiting| !skipped.contains(&waiting.task_id));
        let waiting = waiting.map(candidate).collect();
        Ok(Market { room: free, projects, workers, waiting })
    }

    /// How many more runs this node takes.
    async fn node_room(&self, loads: &[Load]) -> Result<u32, EngineError> {
        let Some(max) = self.0.limits.agents else { return Ok(u32::MAX) };
        Ok(max.saturating_sub(self.running_here(loads).await?))
    }

    /// The runs of this node, and those that nobody has taken up yet: it may be the one who does.
    pub(super) async fn running_here(&self, loads: &[Load]) -> Result<u32, EngineError> {
        let node = self.0.home.node().to_string();
        let elsewhere = tables::dispatch::running_elsewhere(self.db(), &node).await?;
        let all = loads.iter().map(|load| load.running).fold(0, u32::saturating_add);
        Ok(all.saturating_sub(elsewhere))
    }

    async fn load_workers(
        &self,
        loads: &[Load],
        passed: &PassedOver,
    ) -> Result<Vec<Worker>, EngineError> {
        let waits = tables::quota::waits(self.db(), self.now()).await?;
        let waits = |agent| waits.iter().any(|wait| wait.agent_id == agent);
        let agents = tables::agents::all(self.db()).await?.into_iter();
        let agents = agents.filter(|agent| !agent.paused && !waits(agent.id));
        let workers = agents.map(|agent| Worker {
            id: agent.id,
            roles: agent.roles.into_iter().map(RoleName::new).collect(),
            running: running(loads, |load| load.agent_id == agent.id),
            // Who was refused is still somebody who could take it later.
            max_concurrent: match passed.agents.contains(&agent.id) {
                true => 0,
                false => u32::try_from(agent.max_concurrent).unwrap_or(0),
            },
        });
        Ok(workers.collect())
    }
}

/// How much of what is under way fits.
pub(super) fn running(loads: &[Load], fits: impl Fn(&Load) -> bool) -> u32 {
    loads.iter().filter(|load| fits(load)).map(|load| load.running).fold(0, u32::saturating_add)
}

fn share(served: &Served, loads: &[Load]) -> Share {
    Share {
        running: running(loads, |load| load.project_id == served.project_id),
        max_concurrent: served.max_concurrent,
        served_at: served.served_at,
    }
}

fn candidate(waiting: Waiting) -> Candidate {
    Candidate {
        task: waiting.task_id,
        project: waiting.project_id,
        role: waiting.role,
        only: waiting.agent_id,
        avoid: waiting.avoid,
        urgency: waiting.urgency,
        number: waiting.number,
    }
}
