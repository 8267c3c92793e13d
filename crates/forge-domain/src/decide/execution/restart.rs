//! Actions of a person, or of the parent's planner, on an execution that goes wrong (T-13, T-22): stop it, start it again,
//! mark it as failed.

use crate::decide::decision_builder::DecisionBuilder;
use crate::report::{ExecutionEnding, ExecutionResult};
use crate::task::{AnnotationType, ExecutionPurpose, TaskActivity, TaskExecution};
use crate::workflow::{StateBehaviour, StateRef};
use crate::{Effect, ExecutionId, Refusal, TaskEvent};

/// The state in which an execution is started again.
enum RestartPath {
    /// The current state of the task.
    CurrentState,
    /// Another state, to which a person may move the task.
    MoveTo(StateRef),
}

impl DecisionBuilder<'_> {
    /// T-13: ends the execution. The state stays, and nothing continues by itself.
    pub(crate) fn stop_run(
        &mut self,
        execution: ExecutionId,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        self.check_stop(execution)?;
        if matches!(self.task.activity, Some(TaskActivity::Stopping { .. })) {
            return Ok(());
        }
        self.supersede_pending();
        if self.task.run.is_some() {
            self.end_run(execution);
        } else {
            self.cancel_postponed();
        }
        let why = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let director = self.director();
        let message = format!("stopped by {director}{why}; restart it, or move the task on");
        self.annotate(
            AnnotationType::Stopped,
            message,
            serde_json::json!({ "execution": execution }),
        );
        Ok(())
    }

    /// T-22: opens a new execution in place of the last one, with the work as it is.
    pub(crate) fn restart(&mut self, execution: ExecutionId) -> Result<(), Refusal> {
        let (last, way) = self.check_restart(execution)?;
        if let Some(holder) = self.task.roles.get(&last.role) {
            self.check_budget_left(*holder)?;
        }
        if self.task.annotation.is_some() {
            self.emit(TaskEvent::TaskAnnotated { annotation: None });
        }
        match (way, self.task.run.is_some()) {
            (RestartPath::MoveTo(target), _) => self.enter_state(&target, false, Some("restarted")),
            (RestartPath::CurrentState, false) => self.open_execution(&last.role, last.purpose),
            (RestartPath::CurrentState, true) => {
                self.supersede_pending();
                if matches!(self.task.activity, Some(TaskActivity::Stopping { .. })) {
                    self.replan_stop();
                } else {
                    self.end_run(execution);
                }
                // Without a process no stop report will arrive, so the new execution starts at once.
                match self.task.run {
                    None => self.open_execution(&last.role, last.purpose),
                    Some(_) => Ok(()),
                }
            }
        }
    }

    /// T-22: records the execution as failed. It does not count as done.
    pub(crate) fn mark_failed(
        &mut self,
        execution: ExecutionId,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        let last = self.check_mark_failed(execution)?;
        let why = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let director = self.director();
        let message =
            format!("{director} marked the execution as failed{why}; restart it when it can work");
        let details = serde_json::json!({ "execution": execution, "marked": true });
        if last.purpose == ExecutionPurpose::Judge {
            self.close_review(None, false, None);
            return self.park(AnnotationType::ReviewBlocked, &message, details);
        }
        let StateBehaviour::Work { failed, .. } = &self.state()?.behaviour else {
            return Ok(());
        };
        self.enter_state(failed, false, Some(&message))?;
        self.annotate(AnnotationType::ExecutionFailed, message, details);
        Ok(())
    }

    pub(crate) fn check_stop(&self, execution: ExecutionId) -> Result<(), Refusal> {
        if !self.is_directed_by_actor() {
            return Err(Refusal::PeopleOnly("stop a run"));
        }
        let last = || self.task.last_run.as_ref().is_some_and(|run| run.execution == execution);
        match &self.task.run {
            Some(run) if run.execution == execution => Ok(()),
            None if self.task.postponed.is_some() && last() => Ok(()),
            _ => Err(Refusal::ExecutionEnded { key: self.task.key() }),
        }
    }

    pub(crate) fn can_restart(&self, execution: ExecutionId) -> bool {
        self.check_restart(execution).is_ok()
    }

    pub(crate) fn check_mark_failed(
        &self,
        execution: ExecutionId,
    ) -> Result<TaskExecution, Refusal> {
        if !self.is_directed_by_actor() {
            return Err(Refusal::PeopleOnly("take a run for failed"));
        }
        let over = Refusal::ExecutionEnded { key: self.task.key() };
        let last = self.last_execution(execution)?;
        match self.is_execution_state(&last) {
            // A stopped execution can still be marked as failed; one that ended by itself cannot.
            true if self.task.run.is_some() || self.is_stopped_by_person() => Ok(last),
            _ => Err(over),
        }
    }

    fn check_restart(
        &self,
        execution: ExecutionId,
    ) -> Result<(TaskExecution, RestartPath), Refusal> {
        let key = self.task.key();
        if !self.is_directed_by_actor() {
            return Err(Refusal::PeopleOnly("begin a run anew"));
        }
        let state = self.state()?;
        if state.is_terminal() {
            return Err(Refusal::TaskTerminal { key });
        }
        let last = self.last_execution(execution)?;
        let refused = |problem: String| Refusal::NotRestartable { key, problem };
        if !self.task.roles.contains_key(&last.role) {
            let problem =
                format!("the role \"{}\" has no holder; assign it, or claim the task", last.role);
            return Err(refused(problem));
        }
        let busy = match self.task.activity {
            Some(
                TaskActivity::Checking { .. }
                | TaskActivity::Landing
                | TaskActivity::Cleaning
                | TaskActivity::Rebasing
                | TaskActivity::Reverting
                | TaskActivity::EndingTurns,
            ) => true,
            Some(TaskActivity::Stopping { .. }) => self.task.run.is_none(),
            _ => false,
        };
        if busy {
            return Err(refused("another activity is under way; wait for its end".to_owned()));
        }
        if self.is_execution_state(&last) {
            return Ok((last, RestartPath::CurrentState));
        }
        let away = || {
            let problem = format!(
                "it is in \"{}\", from where it cannot go back to the work of \"{}\"; move it on the board first",
                state.name, last.role
            );
            refused(problem)
        };
        if self.task.run.is_some() || !matches!(state.behaviour, StateBehaviour::Hold { .. }) {
            return Err(away());
        }
        let works = |target: &&StateRef| {
            let found = self.resolve(target).map(|state| &state.behaviour);
            matches!(found, Ok(StateBehaviour::Work { role, .. }) if *role == last.role)
        };
        let target = state.manual.iter().find(works).cloned().ok_or_else(away)?;
        Ok((last, RestartPath::MoveTo(target)))
    }

    /// The last execution, if it has this id. Older executions cannot be changed.
    fn last_execution(&self, execution: ExecutionId) -> Result<TaskExecution, Refusal> {
        let last = self.task.last_run.clone().filter(|run| run.execution == execution);
        last.ok_or_else(|| Refusal::ExecutionEnded { key: self.task.key() })
    }

    /// Whether the task is in the state in which the execution works or judges.
    fn is_execution_state(&self, last: &TaskExecution) -> bool {
        let Ok(state) = self.state() else { return false };
        match (&state.behaviour, last.purpose) {
            (StateBehaviour::Work { role, .. }, ExecutionPurpose::Work) => *role == last.role,
            (StateBehaviour::Gate { role: Some(role), .. }, ExecutionPurpose::Judge) => {
                *role == last.role && self.task.review.is_some()
            }
            _ => false,
        }
    }

    /// Ends the current execution: stops its process, or closes a person's execution at once.
    fn end_run(&mut self, execution: ExecutionId) {
        match self.task.activity {
            Some(activity @ (TaskActivity::Preparing { .. } | TaskActivity::Running { .. })) => {
                if let Some(mark) = activity.mark() {
                    self.emit(TaskEvent::TaskStopping { mark });
                    self.plan_effect(Effect::Stop { mark });
                }
            }
            _ => {
                let result = ExecutionResult::without_work(ExecutionEnding::Stopped);
                self.emit(TaskEvent::ExecutionFinished { execution, result });
            }
        }
    }
}
