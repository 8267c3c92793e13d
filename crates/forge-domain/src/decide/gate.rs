//! The gate (M-2 to M-4): checks, then the role's verdict.

use super::draft::Draft;
use crate::report::{CheckOutcome, CheckResult, RunResult, Verdict};
use crate::task::{AnnotationType, FollowUp, Purpose, Run};
use crate::workflow::{Behaviour, RoleName};
use crate::{Assignee, Event, ReceiptKey, ReceiptOrigin, Refusal, ReviewId};

/// What a coder is told with the feedback.
const SENT_BACK: &str = "Your work was reviewed and did not pass. Correct it here, in the same place, and end your turn \
                         when you are done. This is what was found:";
/// What a judge is told that gave no verdict.
const ASK_AGAIN: &str = "There was no verdict in your answer that could be read, so nothing is decided yet. Give it now: \
                         `forge verdict pass|fail|blocked --feedback …`, or one JSON object as the end of your answer: \
                         {\"verdict\": \"…\", \"feedback\": \"…\"} with one of these three words.";
/// How often a judge is asked before a person is.
const MOST_ASKED: u32 = 2;

impl Draft<'_> {
    pub(super) fn checks_ended(
        &mut self,
        review: ReviewId,
        commit: &str,
        results: &[CheckResult],
        setup_failed: bool,
        (receipt, taken_from): (Option<ReceiptKey>, Option<ReceiptOrigin>),
    ) -> Result<(), Refusal> {
        if self.task.review != Some(review) {
            return Ok(());
        }
        let Behaviour::Gate { role, .. } = &self.state()?.behaviour else {
            return Ok(());
        };
        let failed = results.iter().find(|result| result.outcome != CheckOutcome::Passed);
        let judge = role.as_ref().filter(|role| {
            failed.is_none() && !setup_failed && self.task.roles.contains_key(*role)
        });
        self.emit(Event::ReviewChecked {
            review,
            commit: commit.to_owned(),
            results: results.to_vec(),
            judged: judge.is_some(),
            receipt: receipt.filter(|_| failed.is_none() && !setup_failed),
            taken_from,
        });
        match (failed, judge) {
            // Whatever the results say: checks that were not set up have not passed.
            (result, _) if setup_failed => {
                let at =
                    result.map(|result| format!(" at `{}`", result.command)).unwrap_or_default();
                let message = format!(
                    "the set-up of the checks failed{at}; mend it and hand the task in again"
                );
                let details =
                    serde_json::json!({ "output_tail": result.map(|result| &result.output_tail) });
                self.close_review(None, false, None);
                self.park(AnnotationType::ChecksBroken, &message, details)
            }
            (Some(result), _) => {
                let feedback = result.describe();
                self.rejected(feedback, None)
            }
            (None, Some(role)) => {
                let role = role.clone();
                self.open_run(&role, Purpose::Judge)
            }
            (None, None) => self.passed(None, None),
        }
    }

    /// The reviewer's run is over. What it said by a call counts before what it printed.
    pub(super) fn judged(&mut self, run: &Run, result: &RunResult) -> Result<(), Refusal> {
        let called = self.task.gate.verdict.clone();
        let by = Some(run.assignee);
        match called.or_else(|| result.printed_verdict().cloned()) {
            Some(Verdict::Pass { feedback }) => self.passed(feedback, by),
            Some(Verdict::Fail { feedback }) => self.rejected(feedback, by),
            Some(Verdict::Blocked { feedback }) => {
                let message = format!("the reviewer could not judge: {feedback}");
                self.close_review(Some(Verdict::Blocked { feedback }), false, by);
                self.park(AnnotationType::ReviewBlocked, &message, serde_json::Value::Null)
            }
            // M-3: no readable verdict is never a pass.
            None if self.task.gate.unreadable < MOST_ASKED => self.ask_again(run, result),
            None => {
                self.close_review(None, false, None);
                let message = "the reviewer was asked twice and gave no readable verdict; read its log, then hand the task \
                               in again, or approve or reject the attempt yourself";
                let details = serde_json::json!({ "output_tail": result.tail });
                self.park(AnnotationType::ReviewBlocked, message, details)
            }
        }
    }

    /// In the same conversation, where there is one.
    fn ask_again(&mut self, run: &Run, result: &RunResult) -> Result<(), Refusal> {
        let message = ASK_AGAIN.to_owned();
        match result.told.session.clone() {
            Some(session) => self.follow_up = Some(FollowUp { session, message }),
            None => self.messages = vec![message],
        }
        self.open_run(&run.role, Purpose::Judge)
    }

    fn passed(&mut self, feedback: Option<String>, by: Option<Assignee>) -> Result<(), Refusal> {
        let Behaviour::Gate { pass, auto_advance, .. } = &self.state()?.behaviour else {
            return Ok(());
        };
        self.close_review(Some(Verdict::Pass { feedback }), false, by);
        if *auto_advance { self.arrive(pass, false, None) } else { Ok(()) }
    }

    fn rejected(&mut self, feedback: String, by: Option<Assignee>) -> Result<(), Refusal> {
        let state = self.state()?;
        let Behaviour::Gate { reject, exhausted, max_attempts, .. } = &state.behaviour else {
            return Ok(());
        };
        self.close_review(Some(Verdict::Fail { feedback: feedback.clone() }), true, by);
        let rejections = self.task.rejections.get(&state.name).copied().unwrap_or(0);
        if max_attempts.is_some_and(|most| rejections >= most) {
            self.arrive(exhausted, true, Some(&feedback))?;
            let message = format!(
                "\"{}\" rejected the work {rejections} times; look at the feedback and decide",
                state.name
            );
            self.annotate(
                AnnotationType::GateExhausted,
                message,
                serde_json::json!({ "feedback": feedback }),
            );
            return Ok(());
        }
        self.arrive(reject, true, Some(&feedback))
    }

    pub(super) fn close_review(
        &mut self,
        verdict: Option<Verdict>,
        counted: bool,
        by: Option<Assignee>,
    ) {
        if let Some(review) = self.task.review {
            self.emit(Event::ReviewFinished { review, verdict, counted, by });
        }
    }

    /// The task moves on before there is a verdict.
    pub(super) fn overtake_review(&mut self, review: ReviewId) {
        self.emit(Event::ReviewFinished { review, verdict: None, counted: false, by: None });
    }

    /// M-4: an agent whose work was sent back hears why in the conversation in which it did it.
    pub(super) fn answer_with_feedback(&mut self, role: &RoleName) {
        if !self.task.sent_back || self.follow_up.is_some() {
            return;
        }
        let holder = self.task.roles.get(role).and_then(Assignee::agent);
        let session = self.task.sessions.get(role).filter(|known| Some(known.agent) == holder);
        if let (Some(session), Some(feedback)) = (session, &self.task.feedback) {
            let message = format!("{SENT_BACK}\n\n{feedback}");
            self.follow_up = Some(FollowUp { session: session.id.clone(), message });
        }
    }
}
