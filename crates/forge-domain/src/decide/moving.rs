//! Moves along the edges that people may use (T-8), and calling a task off (T-12).

use super::draft::Draft;
use crate::report::{Ending, RunResult};
use crate::task::{Activity, AnnotationType};
use crate::workflow::{Behaviour, State, StateName, StateRef};
use crate::{Actor, Assignee, Event, Refusal, Verdict};

impl Draft<'_> {
    pub(super) fn move_to(
        &mut self,
        to: &StateName,
        version: i64,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        self.check_version(version)?;
        let state = self.state()?;
        let targets = self.move_targets(state);
        let Some(target) = targets.iter().find(|target| target.name() == to).cloned() else {
            return Err(Refusal::InvalidTransition {
                from: state.name.clone(),
                to: to.clone(),
                allowed: targets.iter().map(|target| target.name().clone()).collect(),
            });
        };
        let (fault, cancel) = (self.workflow.fault(), self.workflow.cancel());
        if target == cancel {
            return self.cancel(reason);
        }
        self.check_move(state, &target)?;
        let rejection =
            matches!(&state.behaviour, Behaviour::Gate { reject, .. } if *reject == target);
        self.leave(state, &target, reason)?;
        self.arrive(&target, rejection, reason)?;
        if target == fault && state.name != *fault.name() {
            let message = reason.unwrap_or("parked by hand");
            self.annotate(AnnotationType::Parked, message, serde_json::Value::Null);
        }
        Ok(())
    }

    /// Where the actor may move the task from here: the manual edges, what the state's own business leads to when a
    /// person does it, and the two states that are always open.
    pub(super) fn move_targets(&self, state: &State) -> Vec<StateRef> {
        let mut targets: Vec<StateRef> = Vec::new();
        match &state.behaviour {
            Behaviour::Terminal { .. } => return targets,
            Behaviour::Work { done, .. } => targets.push(done.clone()),
            Behaviour::Gate { pass, reject, .. } => targets.extend([pass.clone(), reject.clone()]),
            Behaviour::Queue { .. } | Behaviour::Merge { .. } | Behaviour::Hold { .. } => {}
        }
        if let Actor::Agent { execution, .. } = self.actor() {
            // P-3: an agent can ask to be done with its own work; where tasks go is for people and the engine.
            let own = self.task.run.as_ref().is_some_and(|run| run.execution == *execution);
            let working = matches!(state.behaviour, Behaviour::Work { .. });
            return if own && working { targets } else { Vec::new() };
        }
        targets.extend(state.manual.iter().cloned());
        targets.extend([self.workflow.fault(), self.workflow.cancel()]);
        let mut unique = Vec::new();
        for target in targets {
            if *target.name() != state.name && !unique.contains(&target) {
                unique.push(target);
            }
        }
        unique
    }

    /// Whether a move along an edge may be made now.
    pub(super) fn check_move(&self, state: &State, target: &StateRef) -> Result<(), Refusal> {
        if self.task.activity == Some(Activity::Landing) && *target != self.workflow.fault() {
            return Err(Refusal::Landing { key: self.task.key() });
        }
        self.check_gate_passed(state, target)?;
        self.check_turns_over(target)?;
        self.check_something_to_hand_in(target)
    }

    fn check_gate_passed(&self, state: &State, target: &StateRef) -> Result<(), Refusal> {
        match &state.behaviour {
            Behaviour::Gate { pass, .. }
                if pass == target && self.task.review_passed_at.is_none() =>
            {
                // A person who holds the judging role passes it by moving it on.
                if self.is_own_judgement() {
                    Ok(())
                } else {
                    Err(Refusal::ReviewNotPassed { gate: state.name.clone() })
                }
            }
            _ => Ok(()),
        }
    }

    /// Whether the review waits for exactly this person's word.
    fn is_own_judgement(&self) -> bool {
        match (self.actor(), &self.task.run) {
            (Actor::User { id }, Some(run)) => {
                run.assignee.user() == Some(*id) && self.task.review.is_some()
            }
            _ => false,
        }
    }

    fn check_something_to_hand_in(&self, target: &StateRef) -> Result<(), Refusal> {
        match self.resolve(target)?.behaviour {
            Behaviour::Gate { .. } | Behaviour::Merge { .. } if self.task.workspace.is_none() => {
                Err(Refusal::WorkspaceMissing { key: self.task.key() })
            }
            _ => Ok(()),
        }
    }

    /// What leaving a state by hand means for what was going on in it.
    pub(super) fn leave(
        &mut self,
        state: &State,
        target: &StateRef,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        if let (Behaviour::Gate { pass, .. }, Some(review)) = (&state.behaviour, self.task.review) {
            let feedback = reason.map(str::to_owned);
            let verdict = if pass == target {
                Verdict::Pass { feedback }
            } else {
                Verdict::Fail {
                    feedback: feedback.unwrap_or_else(|| "sent back by hand".to_owned()),
                }
            };
            // M-4: people's rejections are free.
            let (verdict, by) = (Some(verdict), self.person());
            self.emit(Event::ReviewFinished { review, verdict, counted: false, by });
        }
        if matches!(state.behaviour, Behaviour::Work { .. }) {
            let worker = self.task.run.as_ref().map(|run| run.assignee);
            self.submit_if_handed_in(state, target, worker)?;
        }
        Ok(())
    }

    /// T-5: remembers who handed the work in: who did it, else who holds the role.
    pub(super) fn submit_if_handed_in(
        &mut self,
        state: &State,
        target: &StateRef,
        worker: Option<Assignee>,
    ) -> Result<(), Refusal> {
        let Behaviour::Work { role, .. } = &state.behaviour else {
            return Ok(());
        };
        let into = &self.resolve(target)?.behaviour;
        if !matches!(into, Behaviour::Gate { .. } | Behaviour::Merge { .. }) {
            return Ok(());
        }
        let by = worker.or_else(|| self.task.roles.get(role).copied());
        if let Some(by) = by {
            self.emit(Event::TaskSubmitted { by });
        }
        Ok(())
    }

    pub(super) fn cancel(&mut self, reason: Option<&str>) -> Result<(), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("cancel a task"));
        }
        if self.state()?.is_terminal() {
            return Err(Refusal::TaskTerminal { key: self.task.key() });
        }
        if let Some(review) = self.task.review {
            self.overtake_review(review);
        }
        self.arrive(&self.workflow.cancel(), false, reason)
    }

    /// Ends a person's run: there is no process, so it is over as soon as the task moves on.
    pub(super) fn end_personal_run(&mut self) {
        let personal = self.task.run.as_ref().filter(|run| run.assignee.user().is_some());
        if let Some(execution) = personal.map(|run| run.execution) {
            let result = RunResult::bare(Ending::Submitted);
            self.emit(Event::ExecutionFinished { execution, result });
        }
    }
}
