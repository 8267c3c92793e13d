//! Claims a task (T-3 to T-5): checks all guards, then opens the first execution.

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::ExecutionOverrides;
use crate::workflow::{StateBehaviour, TaskStanding};
use crate::{Assignee, Refusal, TaskEvent};

impl DecisionBuilder<'_> {
    pub(crate) fn claim(
        &mut self,
        claimer: Assignee,
        overrides: &ExecutionOverrides,
    ) -> Result<(), Refusal> {
        let state = self.state()?;
        let by_person = self.is_directed_by_actor();
        if self.facts.planner.is_some() && claimer.agent().is_none() {
            return Err(Refusal::PeopleOnly("claim a task for a person"));
        }
        if self.task.archived_at.is_some() {
            return Err(Refusal::Archived);
        }
        let Some(path) = self.workflow.claim_path(state, by_person) else {
            let claimed =
                self.task.run.is_some() || matches!(state.behaviour, StateBehaviour::Work { .. });
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
        if !self.has_no_ending_execution() {
            return Err(Refusal::ExecutionEnding);
        }
        self.check_turn_claimer(claimer)?;
        self.check_turn()?;
        self.check_claimer(claimer)?;
        self.check_dispatch(claimer, &path.role)?;
        self.check_dependencies(claimer)?;
        self.check_budget_left(claimer)?;
        if !self.facts.has_repository {
            return Err(Refusal::NoRepository);
        }
        if let Some((field, problem)) = overrides.problem() {
            return Err(Refusal::InvalidField { field, problem: problem.to_owned() });
        }
        let known = self.task.overrides.get(&path.role);
        let is_same = known.map_or(overrides.is_empty(), |known| **known == *overrides);
        if self.task.roles.get(&path.role) != Some(&claimer) || !is_same {
            let overrides = Box::new(overrides.clone());
            self.emit(TaskEvent::TaskAssigned { role: path.role, assignee: claimer, overrides });
        }
        if let Some(queue) = &path.through {
            self.record_transition(queue, false, None)?;
        }
        self.enter_state(&path.target, false, None)
    }

    /// Whether no execution is ending. A task can be back in the queue while its last execution is being stopped.
    pub(crate) fn has_no_ending_execution(&self) -> bool {
        !self.task.is_ending()
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

    /// T-5: only the assignee that submitted a dependency may claim the task before that dependency lands.
    fn check_dependencies(&self, claimer: Assignee) -> Result<(), Refusal> {
        let blocking: Vec<_> = self
            .facts
            .dependencies
            .iter()
            .filter(|dependency| match dependency.standing {
                TaskStanding::Succeeded => false,
                TaskStanding::Submitted => dependency.holder != Some(claimer),
                TaskStanding::Open | TaskStanding::Ended => true,
            })
            .map(|dependency| dependency.key.clone())
            .collect();
        if blocking.is_empty() { Ok(()) } else { Err(Refusal::DependencyGate { blocking }) }
    }
}
