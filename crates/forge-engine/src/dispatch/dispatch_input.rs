//! Loads the input of a dispatch round.

use crate::command::errors::EngineError;
use crate::dispatch::dispatch_round::Dispatch;
use forge_domain::dispatch::{DispatchAgent, DispatchCandidate, DispatchInput, ProjectShare};
use forge_domain::workflow::RoleName;
use forge_domain::{AgentId, ProjectId, TaskId};
use forge_store::tables::{
    self,
    served_projects::{AgentLoad, ServedProject},
    waiting_tasks::WaitingTask,
};
use std::collections::HashSet;

/// Upper bound of assignments per round; the next round follows at once.
const AT_ONCE: u32 = 64;

/// What was refused in this round: another attempt changes nothing before the next.
#[derive(Debug, Default)]
pub(crate) struct RefusedAssignments {
    pub(crate) tasks: HashSet<TaskId>,
    pub(crate) projects: HashSet<ProjectId>,
    pub(crate) agents: HashSet<AgentId>,
}

impl Dispatch {
    /// Loads everything that one round needs and nothing more: without a project that uses dispatch nothing, and
    /// without capacity no task.
    pub(crate) async fn load_dispatch_input(
        &self,
        passed: &RefusedAssignments,
    ) -> Result<DispatchInput, EngineError> {
        let db = &self.db;
        let mut served = tables::served_projects::enabled_projects(db).await?;
        let spent = tables::budgets::list_exhausted(db).await?;
        served.retain(|served| !spent.contains(&served.project_id));
        if served.is_empty() {
            return Ok(DispatchInput::default());
        }
        let loads = tables::served_projects::agent_loads(db).await?;
        let room = self.node_room(&loads).await?;
        let workers = self.load_workers(&loads, passed).await?;
        let free =
            workers.iter().map(|worker| worker.max_concurrent.saturating_sub(worker.running));
        let free = free.fold(0, u32::saturating_add).min(room).min(AT_ONCE);
        if free == 0 {
            return Ok(DispatchInput::default());
        }
        let projects = served
            .into_iter()
            .filter(|served| !passed.projects.contains(&served.project_id))
            .map(|served| (served.project_id, share(&served, &loads)))
            .collect();
        let held = tables::radar::list_held(db).await?.into_iter().map(|held| held.task_id);
        let skipped: HashSet<TaskId> = held.chain(passed.tasks.iter().copied()).collect();
        let more = u32::try_from(skipped.len()).unwrap_or(u32::MAX);
        let waiting = tables::waiting_tasks::lane_heads(db, free.saturating_add(more)).await?;
        let waiting = waiting.into_iter().filter(|waiting| !skipped.contains(&waiting.task_id));
        let waiting = waiting.map(candidate).collect();
        Ok(DispatchInput { capacity: free, projects, agents: workers, candidates: waiting })
    }

    /// How many more executions this node accepts.
    async fn node_room(&self, loads: &[AgentLoad]) -> Result<u32, EngineError> {
        let Some(max) = self.max_executions else { return Ok(u32::MAX) };
        Ok(max.saturating_sub(self.running_here(loads).await?))
    }

    /// The executions of this node, and those that no node has leased yet, because this one may.
    pub(crate) async fn running_here(&self, loads: &[AgentLoad]) -> Result<u32, EngineError> {
        let node = self.home.node().to_string();
        let elsewhere = tables::served_projects::count_running_elsewhere(&self.db, &node).await?;
        let all = loads.iter().map(|load| load.running).fold(0, u32::saturating_add);
        Ok(all.saturating_sub(elsewhere))
    }

    async fn load_workers(
        &self,
        loads: &[AgentLoad],
        passed: &RefusedAssignments,
    ) -> Result<Vec<DispatchAgent>, EngineError> {
        let waits = tables::agent_waits::list_waits(&self.db, self.clock.now()).await?;
        let waits = |agent| waits.iter().any(|wait| wait.agent_id == agent);
        let agents = tables::agents::all(&self.db).await?;
        let programless = self.agent_programs.load_programless(&agents).await?;
        let agents = agents
            .into_iter()
            .filter(|agent| !agent.paused && !waits(agent.id) && !programless.contains(&agent.id));
        let workers = agents.map(|agent| DispatchAgent {
            id: agent.id,
            project: agent.project_id,
            roles: agent.roles.into_iter().map(RoleName::new).collect(),
            running: count_running(loads, |load| load.agent_id == agent.id),
            // A refused agent stays in the list with no capacity, because it could take the task later.
            max_concurrent: match passed.agents.contains(&agent.id) {
                true => 0,
                false => u32::try_from(agent.max_concurrent).unwrap_or(0),
            },
        });
        Ok(workers.collect())
    }
}

/// Sums the running executions that match.
pub(crate) fn count_running(loads: &[AgentLoad], fits: impl Fn(&AgentLoad) -> bool) -> u32 {
    loads.iter().filter(|load| fits(load)).map(|load| load.running).fold(0, u32::saturating_add)
}

fn share(served: &ServedProject, loads: &[AgentLoad]) -> ProjectShare {
    ProjectShare {
        running: count_running(loads, |load| load.project_id == served.project_id),
        max_concurrent: served.max_concurrent,
        served_at: served.served_at,
    }
}

fn candidate(waiting: WaitingTask) -> DispatchCandidate {
    DispatchCandidate {
        task: waiting.task_id,
        project: waiting.project_id,
        role: waiting.role,
        holder: waiting.agent_id,
        handed_off_by: waiting.avoid,
        declined_by: waiting.declined_by,
        urgency: waiting.urgency,
        number: waiting.number,
    }
}
