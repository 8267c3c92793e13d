//! Verdicts that are given by a call: those of judges at work (M-3), and of people, which need no reason of the gate's
//! (M-4).

use super::draft::Draft;
use crate::task::{Activity, Purpose, Run};
use crate::workflow::{Behaviour, State, StateRef};
use crate::{Actor, Assignee, Effect, Event, ExecutionId, Refusal, ReviewId, Verdict};

const LONGEST: usize = 100_000;
const GATE_GONE: &str = "its gate is gone; move the task on the board";
const SAY_WHY: &str = "say why; it stays with the task, and whoever goes on with it is told";

impl<'a> Draft<'a> {
    /// The last word of a judge before its run ends is its verdict.
    pub(super) fn give_verdict(
        &mut self,
        execution: ExecutionId,
        verdict: &Verdict,
    ) -> Result<(), Refusal> {
        let own = matches!(self.actor(), Actor::Agent { execution: of, .. } if *of == execution);
        if !own {
            return Err(Refusal::NotYourVerdict(
                "only the run that was asked gives its verdict; people approve or reject the attempt instead",
            ));
        }
        let stopping = matches!(self.task.activity, Some(Activity::Stopping { .. }));
        let asked = |run: &&Run| run.execution == execution && !stopping;
        let Some(run) = self.task.run.as_ref().filter(asked) else {
            return Err(Refusal::ExecutionOver { key: self.task.key() });
        };
        if run.purpose != Purpose::Judge || self.task.review.is_none() {
            return Err(Refusal::NotYourVerdict(
                "this run was asked to work on the task, not to judge it; end the turn to hand it in",
            ));
        }
        let needs_words = !matches!(verdict, Verdict::Pass { .. });
        check_words("feedback", verdict.feedback(), needs_words)?;
        self.emit(Event::ReviewJudged { execution, verdict: verdict.clone() });
        Ok(())
    }

    /// A person lets the last attempt pass: in the place of its judge, or against what the gate has said.
    pub(super) fn approve(&mut self, attempt: u32, reason: Option<&str>) -> Result<(), Refusal> {
        let (gate, by, open) = self.check_approve(attempt)?;
        let Behaviour::Gate { pass, auto_advance, .. } = &gate.behaviour else {
            return Err(self.decided(attempt, GATE_GONE));
        };
        let here = self.task.state == gate.name;
        let overrides = open.is_none() && self.task.review_passed_at.is_none();
        check_words("reason", reason, overrides)?;
        let reason = reason.filter(|words| !words.trim().is_empty()).map(str::to_owned);
        if !here {
            self.supersede();
            self.transition(&StateRef::from(gate), false, reason.as_deref())?;
        }
        match open {
            Some(review) => {
                let verdict = Some(Verdict::Pass { feedback: reason });
                self.emit(Event::ReviewFinished { review, verdict, counted: false, by: Some(by) });
            }
            None => self.emit(Event::ReviewApproved { attempt, by, reason, overrides }),
        }
        if *auto_advance {
            return self.arrive(pass, false, None);
        }
        self.end_judging();
        Ok(())
    }

    /// A person sends the last attempt back; that is free.
    pub(super) fn reject(&mut self, attempt: u32, reason: &str) -> Result<(), Refusal> {
        let gate = self.check_reject(attempt)?;
        let Behaviour::Gate { reject, .. } = &gate.behaviour else {
            return Err(self.decided(attempt, GATE_GONE));
        };
        check_words("reason", Some(reason), true)?;
        self.leave(gate, reject, Some(reason))?;
        self.arrive(reject, true, Some(reason))
    }

    /// Whether the last attempt can be let pass now: its gate, who does, and the review that is still open.
    pub(super) fn check_approve(
        &self,
        attempt: u32,
    ) -> Result<(&'a State, Assignee, Option<ReviewId>), Refusal> {
        let (gate, by) = self.check_decidable(attempt)?;
        if matches!(self.task.activity, Some(Activity::Checking { .. })) {
            return Err(Refusal::ReviewNotPassed { gate: gate.name.clone() });
        }
        if self.task.reviewed.is_none() {
            let problem = "the work has changed since it was checked; hand it in again";
            return Err(self.decided(attempt, problem));
        }
        let open = self.task.review.filter(|_| self.task.state == gate.name);
        let busy = self.task.activity.is_some() || self.task.run.is_some();
        if open.is_none() && busy {
            let (key, holder) = (self.task.key(), "another step".to_owned());
            return Err(Refusal::WorkspaceLocked { key, holder });
        }
        Ok((gate, by, open))
    }

    /// Whether the last attempt can be sent back now.
    pub(super) fn check_reject(&self, attempt: u32) -> Result<&'a State, Refusal> {
        let (gate, _) = self.check_decidable(attempt)?;
        if self.task.state != gate.name {
            let problem = "the task has left the gate; move it on the board";
            return Err(self.decided(attempt, problem));
        }
        Ok(gate)
    }

    /// Whether a person let the work pass in this very visit.
    pub(super) fn is_approved_here(&self) -> bool {
        let approval = self.task.gate.approval.as_ref();
        approval.is_some_and(|approval| approval.visit == self.task.visit)
    }

    /// The person who acts, as somebody who can hold a role.
    pub(super) fn person(&self) -> Option<Assignee> {
        match self.actor() {
            Actor::User { id } => Some(Assignee::User { id: *id }),
            Actor::Agent { .. } | Actor::System { .. } => None,
        }
    }

    /// The gate of the last attempt, and the person who decides about it.
    fn check_decidable(&self, attempt: u32) -> Result<(&'a State, Assignee), Refusal> {
        let Some(by) = self.person() else {
            return Err(Refusal::PeopleOnly("approve or reject an attempt"));
        };
        if self.state()?.is_terminal() {
            return Err(Refusal::TaskTerminal { key: self.task.key() });
        }
        if self.task.activity == Some(Activity::Landing) {
            return Err(Refusal::Landing { key: self.task.key() });
        }
        if self.task.attempts == 0 {
            let problem = "the task has not been at a gate yet; hand its work in first";
            return Err(self.decided(attempt, problem));
        }
        if attempt != self.task.attempts {
            let problem =
                format!("there were {} so far, and only the last counts", self.task.attempts);
            return Err(self.decided(attempt, &problem));
        }
        let gate = self.task.gate.state.as_ref().and_then(|name| self.workflow.state(name));
        let gone = || self.decided(attempt, GATE_GONE);
        Ok((gate.ok_or_else(gone)?, by))
    }

    fn decided(&self, attempt: u32, problem: &str) -> Refusal {
        Refusal::ReviewOver { key: self.task.key(), attempt, problem: problem.to_owned() }
    }

    /// Nobody needs to judge any more.
    fn end_judging(&mut self) {
        self.end_wait();
        self.forget_postponed();
        match self.task.activity {
            Some(activity @ (Activity::Preparing { .. } | Activity::Running { .. })) => {
                if let Some(mark) = activity.mark() {
                    self.supersede();
                    self.emit(Event::TaskStopping { mark });
                    self.want(Effect::Stop { mark });
                }
            }
            Some(Activity::Stopping { .. }) => {}
            _ => self.end_personal_run(),
        }
    }
}

/// What people and agents say about work: something where it is needed, and not a book.
fn check_words(field: &'static str, words: Option<&str>, needed: bool) -> Result<(), Refusal> {
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
