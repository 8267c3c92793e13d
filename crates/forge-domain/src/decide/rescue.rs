//! What a person does with a run that goes wrong (T-13, T-22): stop it, begin it anew, take it for failed.

use super::draft::Draft;
use crate::report::{Ending, RunResult};
use crate::task::{Activity, AnnotationType, Purpose, Run};
use crate::workflow::{Behaviour, StateRef};
use crate::{Effect, Event, ExecutionId, Refusal};

/// Where a run is begun anew.
enum Way {
    /// In the state the task is in.
    Here,
    /// In another, to which a person may move the task.
    Through(StateRef),
}

impl Draft<'_> {
    /// T-13: ends the run and nothing else; the state stays, and nobody goes on by themselves.
    pub(super) fn stop_run(
        &mut self,
        execution: ExecutionId,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        self.check_stop(execution)?;
        if matches!(self.task.activity, Some(Activity::Stopping { .. })) {
            return Ok(());
        }
        self.supersede();
        if self.task.run.is_some() {
            self.end_run(execution);
        } else {
            self.forget_postponed();
        }
        let why = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let message = format!("stopped by hand{why}; begin it anew, or move the task on");
        self.annotate(
            AnnotationType::Stopped,
            message,
            serde_json::json!({ "execution": execution }),
        );
        Ok(())
    }

    /// T-22: a new run in the place of the last one, with the work as it is.
    pub(super) fn restart(&mut self, execution: ExecutionId) -> Result<(), Refusal> {
        let (last, way) = self.check_restart(execution)?;
        if let Some(holder) = self.task.roles.get(&last.role) {
            self.check_paid(*holder)?;
        }
        if self.task.annotation.is_some() {
            self.emit(Event::TaskAnnotated { annotation: None });
        }
        match (way, self.task.run.is_some()) {
            (Way::Through(target), _) => self.arrive(&target, false, Some("begun anew")),
            (Way::Here, false) => self.open_run(&last.role, last.purpose),
            (Way::Here, true) => {
                self.supersede();
                if matches!(self.task.activity, Some(Activity::Stopping { .. })) {
                    self.rewant_stop();
                } else {
                    self.end_run(execution);
                }
                // Without a process there is no stop whose end could be waited for.
                match self.task.run {
                    None => self.open_run(&last.role, last.purpose),
                    Some(_) => Ok(()),
                }
            }
        }
    }

    /// T-22: what is the matter with it is for the next one to find out; it does not count as done.
    pub(super) fn mark_failed(
        &mut self,
        execution: ExecutionId,
        reason: Option<&str>,
    ) -> Result<(), Refusal> {
        let last = self.check_mark_failed(execution)?;
        let why = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let message =
            format!("a person took the run for failed{why}; begin it anew when it can work");
        let details = serde_json::json!({ "execution": execution, "marked": true });
        if last.purpose == Purpose::Judge {
            self.close_review(None, false, None);
            return self.park(AnnotationType::ReviewBlocked, &message, details);
        }
        let Behaviour::Work { failed, .. } = &self.state()?.behaviour else {
            return Ok(());
        };
        self.arrive(failed, false, Some(&message))?;
        self.annotate(AnnotationType::ExecutionFailed, message, details);
        Ok(())
    }

    pub(super) fn check_stop(&self, execution: ExecutionId) -> Result<(), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("stop a run"));
        }
        let last = || self.task.last_run.as_ref().is_some_and(|run| run.execution == execution);
        match &self.task.run {
            Some(run) if run.execution == execution => Ok(()),
            None if self.task.postponed.is_some() && last() => Ok(()),
            _ => Err(Refusal::ExecutionOver { key: self.task.key() }),
        }
    }

    pub(super) fn may_restart(&self, execution: ExecutionId) -> bool {
        self.check_restart(execution).is_ok()
    }

    pub(super) fn check_mark_failed(&self, execution: ExecutionId) -> Result<Run, Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("take a run for failed"));
        }
        let over = Refusal::ExecutionOver { key: self.task.key() };
        let last = self.last(execution)?;
        match self.way_here(&last) {
            // One that was stopped can still be taken for failed; one that came to its end cannot.
            true if self.task.run.is_some() || self.is_halted() => Ok(last),
            _ => Err(over),
        }
    }

    fn check_restart(&self, execution: ExecutionId) -> Result<(Run, Way), Refusal> {
        let key = self.task.key();
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("begin a run anew"));
        }
        let state = self.state()?;
        if state.is_terminal() {
            return Err(Refusal::TaskTerminal { key });
        }
        let last = self.last(execution)?;
        let refused = |problem: String| Refusal::NotRestartable { key, problem };
        if !self.task.roles.contains_key(&last.role) {
            let problem =
                format!("nobody holds the role \"{}\"; assign it, or claim the task", last.role);
            return Err(refused(problem));
        }
        let busy = match self.task.activity {
            Some(
                Activity::Checking { .. }
                | Activity::Landing
                | Activity::Cleaning
                | Activity::Rebasing
                | Activity::Reverting
                | Activity::EndingTurns,
            ) => true,
            Some(Activity::Stopping { .. }) => self.task.run.is_none(),
            _ => false,
        };
        if busy {
            return Err(refused("something else is under way; wait for its end".to_owned()));
        }
        if self.way_here(&last) {
            return Ok((last, Way::Here));
        }
        let away = || {
            let problem = format!(
                "it is in \"{}\", from where it cannot go back to the work of \"{}\"; move it on the board first",
                state.name, last.role
            );
            refused(problem)
        };
        if self.task.run.is_some() || !matches!(state.behaviour, Behaviour::Hold { .. }) {
            return Err(away());
        }
        let works = |target: &&StateRef| {
            let found = self.resolve(target).map(|state| &state.behaviour);
            matches!(found, Ok(Behaviour::Work { role, .. }) if *role == last.role)
        };
        let target = state.manual.iter().find(works).cloned().ok_or_else(away)?;
        Ok((last, Way::Through(target)))
    }

    /// The last run, if it is the one that is meant: older ones are history.
    fn last(&self, execution: ExecutionId) -> Result<Run, Refusal> {
        let last = self.task.last_run.clone().filter(|run| run.execution == execution);
        last.ok_or_else(|| Refusal::ExecutionOver { key: self.task.key() })
    }

    /// Whether the state the task is in is the one the run works or judges in.
    fn way_here(&self, last: &Run) -> bool {
        let Ok(state) = self.state() else { return false };
        match (&state.behaviour, last.purpose) {
            (Behaviour::Work { role, .. }, Purpose::Work) => *role == last.role,
            (Behaviour::Gate { role: Some(role), .. }, Purpose::Judge) => {
                *role == last.role && self.task.review.is_some()
            }
            _ => false,
        }
    }

    /// Ends what is under way: a process is stopped, a person's run is over at once.
    fn end_run(&mut self, execution: ExecutionId) {
        match self.task.activity {
            Some(activity @ (Activity::Preparing { .. } | Activity::Running { .. })) => {
                if let Some(mark) = activity.mark() {
                    self.emit(Event::TaskStopping { mark });
                    self.want(Effect::Stop { mark });
                }
            }
            _ => {
                let result = RunResult::bare(Ending::Stopped);
                self.emit(Event::ExecutionFinished { execution, result });
            }
        }
    }
}
