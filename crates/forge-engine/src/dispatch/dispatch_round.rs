//! The scheduler loop: woken by relevant commits, with a slow sweep.

use crate::admin::agent_program::AgentPrograms;
use crate::command::clock::Clock;
use crate::command::commit::Commands;
use crate::command::errors::EngineError;
use crate::command::facts::registered_agents;
use crate::command::lookup::RecordReader;
use crate::dispatch::AdmissionLimits;
use crate::dispatch::dispatch_input::RefusedAssignments;
use crate::nodes::data_directory::DataDirectory;
use forge_domain::dispatch::{DispatchInput, ResourceShortage, TaskAssignment, plan};
use forge_domain::{Actor, Assignee, DispatchRefusal, Refusal, TaskCommand, Timestamp};
use forge_git::WorkspaceRoot;
use forge_store::{Db, WakeChannel, tables};
use std::sync::Arc;

/// A lack of resources ends without notice, so check again.
const LOOK_AGAIN_SECONDS: u64 = 5;
/// Wake-ups can get lost.
const SWEEP_SECONDS: u64 = 60;

/// The result of one round.
#[derive(Debug, Default)]
struct DispatchRound {
    assigned: usize,
    lacks: Vec<ResourceShortage>,
}

/// The scheduler: assigns claimable tasks to agents, and explains why a task waits.
#[derive(Debug, Clone)]
pub struct Dispatch {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: Arc<DataDirectory>,
    pub(crate) admission: AdmissionLimits,
    pub(crate) agent_programs: AgentPrograms,
    pub(crate) commands: Commands,
    pub(crate) max_executions: Option<u32>,
    pub(crate) records: RecordReader,
    pub(crate) root: WorkspaceRoot,
}

impl Dispatch {
    /// Assigns tasks until the engine stops.
    pub(crate) async fn run_dispatch_loop(&self) {
        let mut told = Vec::new();
        loop {
            // Subscribe again each time: later commits wake the next round, earlier ones do not repeat this one.
            let mut wakes = self.db.subscribe(WakeChannel::Dispatch);
            let next = match self.run_dispatch_round().await {
                Ok(go) => {
                    log_lacks(&mut told, &go.lacks);
                    self.next_round_at(&go).await
                }
                Err(error) => {
                    tracing::error!(%error, "dispatch round failed; retrying");
                    self.clock.now().plus_seconds(1)
                }
            };
            tokio::select! {
                () = self.clock.wait_until(next) => {}
                wake = wakes.next() => if wake.is_none() { return },
            }
        }
    }

    /// Assigns all tasks that can be assigned now; returns their number.
    pub async fn assign_tasks(&self) -> Result<usize, EngineError> {
        Ok(self.run_dispatch_round().await?.assigned)
    }

    /// When to run again at the latest: at the next sweep, or when an agent's quota returns (E-9).
    async fn next_round_at(&self, go: &DispatchRound) -> Timestamp {
        let seconds = if go.lacks.is_empty() { SWEEP_SECONDS } else { LOOK_AGAIN_SECONDS };
        let now = self.clock.now();
        let latest = now.plus_seconds(seconds);
        match tables::agent_waits::next_wait_end(&self.db, now).await {
            Ok(back) => back.map_or(latest, |back| back.min(latest)),
            Err(error) => {
                tracing::warn!(%error, "end of quota waits unknown; checking again soon");
                now.plus_seconds(LOOK_AGAIN_SECONDS)
            }
        }
    }

    async fn run_dispatch_round(&self) -> Result<DispatchRound, EngineError> {
        let (mut go, mut passed) = (DispatchRound::default(), RefusedAssignments::default());
        if tables::served_projects::paused_at(&self.db).await?.is_some() {
            return Ok(go);
        }
        self.park_declined().await?;
        loop {
            let market = self.load_dispatch_input(&passed).await?;
            let planned = plan(&market);
            if planned.is_empty() {
                return Ok(go);
            }
            for assignment in planned {
                // Each started execution changes the free resources.
                go.lacks = self.load_lacks();
                if !go.lacks.is_empty() {
                    return Ok(go);
                }
                let TaskAssignment { task, agent } = assignment;
                let claim = TaskCommand::Claim { claimer: Assignee::Agent { id: agent } };
                match self.commands.handle(Actor::scheduler(), task, claim).await {
                    Ok(_) => go.assigned += 1,
                    Err(EngineError::Refused(refusal)) => {
                        tracing::debug!(%task, %agent, %refusal, "task was not assigned");
                        passed.add(&market, assignment, &refusal);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }

    /// Parks tasks that every suitable agent handed off (T-20). A paused, busy or quota-limited agent counts as
    /// suitable.
    async fn park_declined(&self) -> Result<(), EngineError> {
        let declined = tables::waiting_tasks::list_declined(&self.db).await?;
        if declined.is_empty() {
            return Ok(());
        }
        let all = tables::agents::all(&self.db).await?;
        for waiting in declined {
            let agents = registered_agents(&all, waiting.project_id);
            if agents.iter().any(|agent| agent.can_take(&waiting.role, &waiting.declined_by)) {
                continue;
            }
            match self
                .commands
                .handle(Actor::scheduler(), waiting.task_id, TaskCommand::ParkHandedOff)
                .await
            {
                Ok(_) => {}
                Err(EngineError::Refused(refusal)) => {
                    tracing::debug!(task = %waiting.task_id, %refusal, "task was not parked");
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl RefusedAssignments {
    /// Records the subject of a refusal, so that other assignments continue.
    fn add(&mut self, market: &DispatchInput, assignment: TaskAssignment, refusal: &Refusal) {
        let waiting = market.candidates.iter().find(|waiting| waiting.task == assignment.task);
        match (refusal, waiting) {
            (
                Refusal::NoRepository
                | Refusal::ProjectPaused
                | Refusal::NotDispatched(
                    DispatchRefusal::Off | DispatchRefusal::ProjectAtCapacity { .. },
                ),
                Some(waiting),
            ) => {
                self.projects.insert(waiting.project);
            }
            (
                Refusal::AgentPaused
                | Refusal::AgentAtCapacity { .. }
                | Refusal::NotDispatched(DispatchRefusal::QuotaWait),
                _,
            ) => {
                self.agents.insert(assignment.agent);
            }
            _ => {
                self.tasks.insert(assignment.task);
            }
        }
    }
}

/// Logs once that resources are lacking, and once that they are sufficient again.
fn log_lacks(told: &mut Vec<&'static str>, lacks: &[ResourceShortage]) {
    let kinds: Vec<_> = lacks.iter().map(kind).collect();
    if *told == kinds {
        return;
    }
    match lacks {
        [] => tracing::info!("machine has resources for new executions again"),
        lacks => {
            for lack in lacks {
                tracing::warn!("dispatch starts no executions: {lack}");
            }
        }
    }
    *told = kinds;
}

fn kind(lack: &ResourceShortage) -> &'static str {
    match lack {
        ResourceShortage::DiskLow { .. } => "disk",
        ResourceShortage::MemoryLow { .. } => "memory",
        ResourceShortage::PressureHigh { .. } => "pressure",
    }
}
