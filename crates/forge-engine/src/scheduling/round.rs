//! The scheduler at work: woken by what can matter, never by the hour.

use super::market::PassedOver;
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::dispatch::{Assignment, Lack, Market, plan};
use forge_domain::{Actor, Assignee, Command, NotDispatched, Refusal, Timestamp};
use forge_store::{Channel, tables};

/// A machine that lacks something does not tell when it has it again.
const LOOK_AGAIN_SECONDS: u64 = 5;
/// Wake-ups can get lost.
const SWEEP_SECONDS: u64 = 60;

/// What one go came to.
#[derive(Debug, Default)]
struct Go {
    given: usize,
    lacks: Vec<Lack>,
}

impl Engine {
    /// Gives tasks to agents until told to stop.
    pub(crate) async fn keep_dispatching(&self) {
        let mut told = Vec::new();
        loop {
            // Anew each time: what is committed from here on is heard, and what led to this round is not heard again.
            let mut wakes = self.0.db.subscribe(Channel::Dispatch);
            let next = match self.go().await {
                Ok(go) => {
                    tell(&mut told, &go.lacks);
                    self.after(&go).await
                }
                Err(error) => {
                    tracing::error!(%error, "tasks could not be given out; trying again");
                    self.0.clock.now().plus_seconds(1)
                }
            };
            tokio::select! {
                () = self.0.clock.wait_until(next) => {}
                wake = wakes.next() => if wake.is_none() { return },
            }
        }
    }

    /// Gives out everything that can be given out now: how many tasks that were.
    pub async fn dispatch(&self) -> Result<usize, EngineError> {
        Ok(self.go().await?.given)
    }

    /// When to look again at the latest: by the hour, or when an agent's allowance is back (E-9).
    async fn after(&self, go: &Go) -> Timestamp {
        let seconds = if go.lacks.is_empty() { SWEEP_SECONDS } else { LOOK_AGAIN_SECONDS };
        let now = self.0.clock.now();
        let latest = now.plus_seconds(seconds);
        match tables::quota::next_end(self.db(), now).await {
            Ok(back) => back.map_or(latest, |back| back.min(latest)),
            Err(error) => {
                tracing::warn!(%error, "when allowances are back is not known; looking again soon");
                now.plus_seconds(LOOK_AGAIN_SECONDS)
            }
        }
    }

    async fn go(&self) -> Result<Go, EngineError> {
        let (mut go, mut passed) = (Go::default(), PassedOver::default());
        if tables::dispatch::paused_at(self.db()).await?.is_some() {
            return Ok(go);
        }
        loop {
            let market = self.load_market(&passed).await?;
            let planned = plan(&market);
            if planned.is_empty() {
                return Ok(go);
            }
            for assignment in planned {
                // Each run that begins changes what the next one finds.
                go.lacks = self.load_lacks();
                if !go.lacks.is_empty() {
                    return Ok(go);
                }
                let Assignment { task, agent } = assignment;
                let claim = Command::Claim { claimer: Assignee::Agent { id: agent } };
                match self.handle(Actor::scheduler(), task, claim).await {
                    Ok(_) => go.given += 1,
                    Err(EngineError::Refused(refusal)) => {
                        tracing::debug!(%task, %agent, %refusal, "a task was not given out");
                        passed.add(&market, assignment, &refusal);
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }
}

impl PassedOver {
    /// Remembers what a refusal is about, so that the others get their turn.
    fn add(&mut self, market: &Market, assignment: Assignment, refusal: &Refusal) {
        let waiting = market.waiting.iter().find(|waiting| waiting.task == assignment.task);
        match (refusal, waiting) {
            (
                Refusal::NoRepository
                | Refusal::ProjectPaused
                | Refusal::NotDispatched(
                    NotDispatched::Off | NotDispatched::ProjectAtCapacity { .. },
                ),
                Some(waiting),
            ) => {
                self.projects.insert(waiting.project);
            }
            (
                Refusal::AgentPaused
                | Refusal::AgentAtCapacity { .. }
                | Refusal::NotDispatched(NotDispatched::QuotaWait),
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

/// Says once what the machine lacks, and once that it lacks it no more.
fn tell(told: &mut Vec<&'static str>, lacks: &[Lack]) {
    let kinds: Vec<_> = lacks.iter().map(kind).collect();
    if *told == kinds {
        return;
    }
    match lacks {
        [] => tracing::info!("the machine bears new runs again"),
        lacks => {
            for lack in lacks {
                tracing::warn!("no new runs begin by themselves: {lack}");
            }
        }
    }
    *told = kinds;
}

fn kind(lack: &Lack) -> &'static str {
    match lack {
        Lack::DiskLow { .. } => "disk",
        Lack::MemoryLow { .. } => "memory",
        Lack::PressureHigh { .. } => "pressure",
    }
}
