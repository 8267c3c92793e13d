//! Claiming (T-3 to T-5): all guards, then the first execution.

use super::draft::Draft;
use crate::task::Activity;
use crate::workflow::{Behaviour, Standing};
use crate::{Assignee, Event, Refusal};

impl Draft<'_> {
    pub(super) fn claim(&mut self, claimer: Assignee) -> Result<(), Refusal> {
        let state = self.state()?;
        let by_person = self.actor().is_person();
        if self.task.archived_at.is_some() {
            return Err(Refusal::Archived);
        }
        let Some(path) = self.workflow.claim_path(state, by_person) else {
            let claimed =
                self.task.run.is_some() || matches!(state.behaviour, Behaviour::Work { .. });
            return Err(if claimed {
                Refusal::AlreadyClaimed
            } else {
                let claimable = self.workflow.states().filter(|state| state.is_claimable());
                Refusal::NotClaimable {
                    state: state.name.clone(),
                    claimable: claimable.map(|state| state.name.clone()).collect(),
                }
            });
        };
        if !self.is_free() {
            return Err(Refusal::AlreadyClaimed);
        }
        self.check_turn_claimer(claimer)?;
        self.check_turn()?;
        self.check_claimer(claimer)?;
        self.check_dispatch(claimer, &path.role)?;
        self.check_dependencies(claimer)?;
        self.check_paid(claimer)?;
        if !self.facts.has_repository {
            return Err(Refusal::NoRepository);
        }
        if self.task.roles.get(&path.role) != Some(&claimer) {
            self.emit(Event::TaskAssigned { role: path.role, assignee: claimer });
        }
        if let Some(queue) = &path.through {
            self.transition(queue, false, None)?;
        }
        self.arrive(&path.target, false, None)
    }

    /// Whether the last hand has let go: a task can be back in the queue while its run is still being ended.
    pub(super) fn is_free(&self) -> bool {
        let stopping = matches!(self.task.activity, Some(Activity::Stopping { .. }));
        self.task.run.is_none() && !stopping
    }

    fn check_claimer(&self, claimer: Assignee) -> Result<(), Refusal> {
        if claimer.user().is_some() {
            return Ok(());
        }
        if self.facts.project_paused {
            return Err(Refusal::ProjectPaused);
        }
        let Some(agent) = self.facts.claimer else {
            return Ok(());
        };
        if agent.paused {
            return Err(Refusal::AgentPaused);
        }
        if agent.running >= agent.max_concurrent {
            return Err(Refusal::AgentAtCapacity {
                running: agent.running,
                max: agent.max_concurrent,
            });
        }
        Ok(())
    }

    /// T-5: a dependency that is not in yet may be passed only by who handed it in.
    fn check_dependencies(&self, claimer: Assignee) -> Result<(), Refusal> {
        let blocking: Vec<_> = self
            .facts
            .dependencies
            .iter()
            .filter(|dependency| match dependency.standing {
                Standing::Succeeded => false,
                Standing::Submitted => dependency.holder != Some(claimer),
                Standing::Open | Standing::Ended => true,
            })
            .map(|dependency| dependency.key.clone())
            .collect();
        if blocking.is_empty() { Ok(()) } else { Err(Refusal::DependencyGate { blocking }) }
    }
}
