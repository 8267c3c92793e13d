//! Verdicts given by a call: from judges during their execution (M-3), and from people, who may override the gate
//! (M-4).

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::{ExecutionPurpose, TaskActivity, TaskExecution};
use crate::workflow::{StateBehaviour, StateRef, WorkflowState};
use crate::{Actor, Assignee, Effect, ExecutionId, Refusal, ReviewId, TaskEvent, Verdict};

const LONGEST: usize = 100_000;
const GATE_GONE: &str = "its gate is gone; move the task on the board";
const SAY_WHY: &str = "say why; it is stored with the task and sent to the agent that continues it";

impl<'a> DecisionBuilder<'a> {
    /// Records a judge's verdict. The last verdict before its execution ends counts.
    pub(crate) fn give_verdict(
        &mut self,
        execution: ExecutionId,
        verdict: &Verdict,
    ) -> Result<(), Refusal> {
        let own = matches!(self.actor(), Actor::Agent { execution: of, .. } if *of == execution);
        if !own {
            return Err(Refusal::VerdictNotRequested(
                "only the run that was asked gives its verdict; people approve or reject the attempt instead",
            ));
        }
        let stopping = matches!(self.task.activity, Some(TaskActivity::Stopping { .. }));
        let asked = |run: &&TaskExecution| run.execution == execution && !stopping;
        let Some(run) = self.task.run.as_ref().filter(asked) else {
            return Err(Refusal::ExecutionEnded { key: self.task.key() });
        };
        if run.purpose != ExecutionPurpose::Judge || self.task.review.is_none() {
            return Err(Refusal::VerdictNotRequested(
                "this run was asked to work on the task, not to judge it; end the turn to hand it in",
            ));
        }
        let needs_words = !matches!(verdict, Verdict::Pass { .. });
        check_text("feedback", verdict.feedback(), needs_words)?;
        self.emit(TaskEvent::ReviewJudged { execution, verdict: verdict.clone() });
        Ok(())
    }

    /// A person passes the last attempt, in place of its judge or against the gate's result.
    pub(crate) fn approve(&mut self, attempt: u32, reason: Option<&str>) -> Result<(), Refusal> {
        let (gate, by, open) = self.check_approve(attempt)?;
        let StateBehaviour::Gate { pass, auto_advance, .. } = &gate.behaviour else {
            return Err(self.attempt_closed(attempt, GATE_GONE));
        };
        let here = self.task.state == gate.name;
        let overrides = open.is_none() && self.task.review_passed_at.is_none();
        let unchanged = self.stopped_without_changes();
        check_text("reason", reason, overrides && !unchanged)?;
        let reason = reason.filter(|words| !words.trim().is_empty()).map(str::to_owned);
        if !here {
            self.supersede_pending();
            self.record_transition(&StateRef::from(gate), false, reason.as_deref())?;
        }
        match open {
            Some(review) => {
                let verdict = Some(Verdict::Pass { feedback: reason });
                self.emit(TaskEvent::ReviewFinished {
                    review,
                    verdict,
                    counted: false,
                    by: Some(by),
                });
            }
            None => self.emit(TaskEvent::ReviewApproved { attempt, by, reason, overrides }),
        }
        if self.stopped_without_changes() {
            self.emit(TaskEvent::TaskAnnotated { annotation: None });
        }
        if *auto_advance {
            return self.enter_state(pass, false, None);
        }
        self.stop_judge();
        Ok(())
    }

    /// A person sends the last attempt back. It does not count against the gate's attempts.
    pub(crate) fn reject(&mut self, attempt: u32, reason: &str) -> Result<(), Refusal> {
        let gate = self.check_reject(attempt)?;
        let StateBehaviour::Gate { reject, .. } = &gate.behaviour else {
            return Err(self.attempt_closed(attempt, GATE_GONE));
        };
        check_text("reason", Some(reason), true)?;
        self.close_left_state(gate, reject, Some(reason))?;
        self.enter_state(reject, true, Some(reason))
    }

    /// Checks that the last attempt can be passed now. Returns its gate, the person, and the review if it is still
    /// open.
    pub(crate) fn check_approve(
        &self,
        attempt: u32,
    ) -> Result<(&'a WorkflowState, Assignee, Option<ReviewId>), Refusal> {
        let (gate, by) = self.check_decidable(attempt)?;
        if matches!(self.task.activity, Some(TaskActivity::Checking { .. })) {
            return Err(Refusal::ReviewNotPassed { gate: gate.name.clone() });
        }
        if self.task.reviewed.is_none() {
            let problem = "the work has changed since it was checked; hand it in again";
            return Err(self.attempt_closed(attempt, problem));
        }
        let open = self.task.review.filter(|_| self.task.state == gate.name);
        let busy = self.task.activity.is_some() || self.task.run.is_some();
        if open.is_none() && busy {
            let (key, holder) = (self.task.key(), "another step".to_owned());
            return Err(Refusal::WorkspaceLocked { key, holder });
        }
        Ok((gate, by, open))
    }

    /// Checks that the last attempt can be sent back now.
    pub(crate) fn check_reject(&self, attempt: u32) -> Result<&'a WorkflowState, Refusal> {
        let (gate, _) = self.check_decidable(attempt)?;
        if self.task.state != gate.name {
            let problem = "the task has left the gate; move it on the board";
            return Err(self.attempt_closed(attempt, problem));
        }
        Ok(gate)
    }

    /// Whether a person passed the work in this visit.
    pub(crate) fn is_approved_here(&self) -> bool {
        let approval = self.task.gate.approval.as_ref();
        approval.is_some_and(|approval| approval.visit == self.task.visit)
    }

    /// The acting person as an assignee.
    pub(crate) fn acting_person(&self) -> Option<Assignee> {
        match self.actor() {
            Actor::User { id } => Some(Assignee::User { id: *id }),
            Actor::Agent { .. } | Actor::System { .. } => None,
        }
    }

    /// The gate of the last attempt, and the person who decides about it.
    fn check_decidable(&self, attempt: u32) -> Result<(&'a WorkflowState, Assignee), Refusal> {
        let Some(by) = self.acting_person() else {
            return Err(Refusal::PeopleOnly("approve or reject an attempt"));
        };
        if self.state()?.is_terminal() {
            return Err(Refusal::TaskTerminal { key: self.task.key() });
        }
        if self.task.activity == Some(TaskActivity::Landing) {
            return Err(Refusal::Landing { key: self.task.key() });
        }
        if self.task.attempts == 0 {
            let problem = "the task has not been at a gate yet; hand its work in first";
            return Err(self.attempt_closed(attempt, problem));
        }
        if attempt != self.task.attempts {
            let problem =
                format!("there were {} so far, and only the last counts", self.task.attempts);
            return Err(self.attempt_closed(attempt, &problem));
        }
        let gate = self.task.gate.state.as_ref().and_then(|name| self.workflow.state(name));
        let gone = || self.attempt_closed(attempt, GATE_GONE);
        Ok((gate.ok_or_else(gone)?, by))
    }

    fn attempt_closed(&self, attempt: u32, problem: &str) -> Refusal {
        Refusal::AttemptClosed { key: self.task.key(), attempt, problem: problem.to_owned() }
    }

    /// Stops the judge, whose verdict is no longer needed.
    fn stop_judge(&mut self) {
        self.clear_wait_annotation();
        self.cancel_postponed();
        match self.task.activity {
            Some(activity @ (TaskActivity::Preparing { .. } | TaskActivity::Running { .. })) => {
                if let Some(mark) = activity.mark() {
                    self.supersede_pending();
                    self.emit(TaskEvent::TaskStopping { mark });
                    self.plan_effect(Effect::Stop { mark });
                }
            }
            Some(TaskActivity::Stopping { .. }) => {}
            _ => self.end_personal_run(),
        }
    }
}

/// Checks a reason or feedback: present where required, and not too long.
fn check_text(field: &'static str, words: Option<&str>, needed: bool) -> Result<(), Refusal> {
    let problem = match words {
        None if needed => SAY_WHY,
        Some(words) if needed && words.trim().is_empty() => SAY_WHY,
        Some(words) if words.len() > LONGEST => {
            "has at most 100,000 bytes; commit the rest as a file"
        }
        _ => return Ok(()),
    };
    Err(Refusal::InvalidField { field, problem: problem.to_owned() })
}
