//! Moves along the edges that people may use (T-8), and cancels tasks (T-12).

use crate::decide::decision_builder::DecisionBuilder;
use crate::report::{ExecutionEnding, ExecutionResult};
use crate::task::{AnnotationType, TaskActivity};
use crate::workflow::{StateBehaviour, StateName, StateRef, TaskStanding, WorkflowState};
use crate::{Actor, Assignee, PlannerFacts, Refusal, TaskEvent, Verdict};

impl DecisionBuilder<'_> {
    pub(crate) fn move_to(
        &mut self,
        to: &StateName,
        version: Option<i64>,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        if let Some(version) = version {
            self.check_version(version)?;
        }
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
            matches!(&state.behaviour, StateBehaviour::Gate { reject, .. } if *reject == target);
        self.close_left_state(state, &target, reason)?;
        self.enter_state(&target, rejection, reason)?;
        if target == fault && state.name != *fault.name() {
            let message = reason.unwrap_or("parked by hand");
            self.annotate(AnnotationType::Parked, message, serde_json::Value::Null);
        }
        Ok(())
    }

    /// Hands in the work of the current state, as its worker says that it is done (P-3: the gate decides about it).
    pub(crate) fn complete(
        &mut self,
        version: Option<i64>,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        let state = self.state()?;
        let StateBehaviour::Work { done, .. } = &state.behaviour else {
            return Err(Refusal::NotInWork { key: self.task.key(), state: state.name.clone() });
        };
        let done = done.name().clone();
        self.move_to(&done, version, reason)
    }

    /// States to which the actor may move the task: the manual edges, the edges of the state's own work if a person
    /// does it, the fault state and the cancel state.
    pub(crate) fn move_targets(&self, state: &WorkflowState) -> Vec<StateRef> {
        let mut targets: Vec<StateRef> = Vec::new();
        match &state.behaviour {
            StateBehaviour::Terminal { .. } => return targets,
            StateBehaviour::Work { done, .. } => targets.push(done.clone()),
            StateBehaviour::Gate { pass, reject, .. } => {
                targets.extend([pass.clone(), reject.clone()])
            }
            StateBehaviour::Queue { .. }
            | StateBehaviour::Merge { .. }
            | StateBehaviour::Hold { .. } => {}
        }
        if let Actor::Agent { execution, .. } = self.actor() {
            if let Some(planner) = &self.facts.planner {
                return self.landing_targets(state, planner);
            }
            // P-3: an agent can only finish its own work; people and the engine decide about other moves.
            let own = self.task.run.as_ref().is_some_and(|run| run.execution == *execution);
            let working = matches!(state.behaviour, StateBehaviour::Work { .. });
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

    /// S-6: the planner of the parent lands a subtask on the parent's branch, and moves it nowhere else.
    fn landing_targets(&self, state: &WorkflowState, planner: &PlannerFacts) -> Vec<StateRef> {
        let target = self.task.merge_config.target_branch.as_ref();
        if target.is_none() || target != planner.branch.as_ref() {
            return Vec::new();
        }
        let passed = match &state.behaviour {
            StateBehaviour::Gate { pass, .. } => Some(pass),
            _ => None,
        };
        let lands = |target: &&StateRef| {
            let found = self.resolve(target).map(|state| &state.behaviour);
            matches!(found, Ok(StateBehaviour::Merge { .. }))
        };
        let mut targets: Vec<_> =
            passed.into_iter().chain(&state.manual).filter(lands).cloned().collect();
        targets.dedup();
        targets
    }

    /// Checks that a move along an edge is allowed now.
    pub(crate) fn check_move(
        &self,
        state: &WorkflowState,
        target: &StateRef,
    ) -> Result<(), Refusal> {
        if self.task.activity == Some(TaskActivity::Landing) && *target != self.workflow.fault() {
            return Err(Refusal::Landing { key: self.task.key() });
        }
        self.check_gate_passed(state, target)?;
        self.check_questions_answered(target)?;
        self.check_dependencies_landed(target)?;
        self.check_turns_over(target)?;
        self.check_has_workspace(target)
    }

    /// T-6: refuses to land a task before its dependencies.
    fn check_dependencies_landed(&self, target: &StateRef) -> Result<(), Refusal> {
        if !matches!(self.resolve(target)?.behaviour, StateBehaviour::Merge { .. }) {
            return Ok(());
        }
        let open =
            self.facts.dependencies.iter().filter(|one| one.standing != TaskStanding::Succeeded);
        let blocking: Vec<String> = open.map(|one| one.key.clone()).collect();
        if blocking.is_empty() { Ok(()) } else { Err(Refusal::DependencyGate { blocking }) }
    }

    fn check_gate_passed(&self, state: &WorkflowState, target: &StateRef) -> Result<(), Refusal> {
        match &state.behaviour {
            StateBehaviour::Gate { pass, .. }
                if pass == target && self.task.review_passed_at.is_none() =>
            {
                // A person who holds the judging role passes the attempt by moving the task on.
                if self.is_awaited_verdict() {
                    Ok(())
                } else {
                    Err(Refusal::ReviewNotPassed { gate: state.name.clone() })
                }
            }
            _ => Ok(()),
        }
    }

    /// Whether the review waits for the verdict of this person.
    fn is_awaited_verdict(&self) -> bool {
        match (self.actor(), &self.task.run) {
            (Actor::User { id }, Some(run)) => {
                run.assignee.user() == Some(*id) && self.task.review.is_some()
            }
            _ => false,
        }
    }

    fn check_has_workspace(&self, target: &StateRef) -> Result<(), Refusal> {
        match self.resolve(target)?.behaviour {
            StateBehaviour::Gate { .. } | StateBehaviour::Merge { .. }
                if self.task.workspace.is_none() =>
            {
                Err(Refusal::WorkspaceMissing { key: self.task.key() })
            }
            _ => Ok(()),
        }
    }

    /// Closes the open review, or records the submission, when a task leaves a state by hand.
    pub(crate) fn close_left_state(
        &mut self,
        state: &WorkflowState,
        target: &StateRef,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        if let (StateBehaviour::Gate { pass, .. }, Some(review)) =
            (&state.behaviour, self.task.review)
        {
            let feedback = reason.map(str::to_owned);
            let verdict = if pass == target {
                Verdict::Pass { feedback }
            } else {
                Verdict::Fail {
                    feedback: feedback.unwrap_or_else(|| "sent back by hand".to_owned()),
                }
            };
            // M-4: rejections by people do not count.
            let (verdict, by) = (Some(verdict), self.acting_person());
            self.emit(TaskEvent::ReviewFinished { review, verdict, counted: false, by });
        }
        self.close_skipped_questions(state, target)?;
        if matches!(state.behaviour, StateBehaviour::Work { .. }) {
            let worker = self.task.run.as_ref().map(|run| run.assignee);
            self.record_submission(state, target, worker)?;
        }
        Ok(())
    }

    /// T-5: records who submitted the work: the worker, else the holder of the role.
    pub(crate) fn record_submission(
        &mut self,
        state: &WorkflowState,
        target: &StateRef,
        worker: Option<Assignee>,
    ) -> Result<(), Refusal> {
        let StateBehaviour::Work { role, .. } = &state.behaviour else {
            return Ok(());
        };
        let into = &self.resolve(target)?.behaviour;
        if !matches!(into, StateBehaviour::Gate { .. } | StateBehaviour::Merge { .. }) {
            return Ok(());
        }
        let by = worker.or_else(|| self.task.roles.get(role).copied());
        if let Some(by) = by {
            self.emit(TaskEvent::TaskSubmitted { by });
        }
        Ok(())
    }

    pub(crate) fn cancel(&mut self, reason: Option<&str>) -> Result<(), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("cancel a task"));
        }
        if self.state()?.is_terminal() {
            return Err(Refusal::TaskTerminal { key: self.task.key() });
        }
        if let Some(review) = self.task.review {
            self.abandon_review(review);
        }
        self.enter_state(&self.workflow.cancel(), false, reason)
    }

    /// Ends a person's execution. It has no process, so it ends as soon as the task moves on.
    pub(crate) fn end_personal_run(&mut self) {
        let personal = self.task.run.as_ref().filter(|run| run.assignee.user().is_some());
        if let Some(execution) = personal.map(|run| run.execution) {
            let result = ExecutionResult::without_work(ExecutionEnding::Submitted);
            self.emit(TaskEvent::ExecutionFinished { execution, result });
        }
    }
}
