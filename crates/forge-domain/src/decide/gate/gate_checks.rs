//! The gate (M-2 to M-4): runs the checks, then asks the role for a verdict.

use crate::decide::decision_builder::DecisionBuilder;
use crate::report::{CheckOutcome, CheckResult, ExecutionResult, Verdict};
use crate::task::{AnnotationType, ExecutionPurpose, FollowUpMessage, TaskExecution};
use crate::workflow::{RoleName, StateBehaviour};
use crate::{Assignee, ReceiptKey, ReceiptOrigin, Refusal, ReviewId, TaskEvent};

/// Introduces the feedback in the message to the coder.
const SENT_BACK: &str = "Your work was reviewed and did not pass. Correct it here, in the same place, and end your turn \
                         when you are done. This is what was found:";
/// Asks a judge again that gave no readable verdict.
const ASK_AGAIN: &str = "There was no verdict in your answer that could be read, so nothing is decided yet. Give it now: \
                         `forge verdict pass|fail|blocked --feedback …`, or one JSON object as the end of your answer: \
                         {\"verdict\": \"…\", \"feedback\": \"…\"} with one of these three words.";
/// Number of times a judge is asked before a person must decide.
const MOST_ASKED: u32 = 2;

impl DecisionBuilder<'_> {
    pub(crate) fn checks_ended(
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
        let StateBehaviour::Gate { role, .. } = &self.state()?.behaviour else {
            return Ok(());
        };
        let failed = results.iter().find(|result| result.outcome != CheckOutcome::Passed);
        let passed = failed.is_none() && !setup_failed;
        self.assign_default_reviewer(role.as_ref().filter(|_| passed));
        let judge = role.as_ref().filter(|role| passed && self.task.roles.contains_key(*role));
        self.emit(TaskEvent::ReviewChecked {
            review,
            commit: commit.to_owned(),
            results: results.to_vec(),
            judged: judge.is_some(),
            receipt: receipt.filter(|_| failed.is_none() && !setup_failed),
            taken_from,
        });
        match (failed, judge) {
            // The results do not matter here: checks whose setup failed have not passed.
            (result, _) if setup_failed => {
                let at =
                    result.map(|result| format!(" at `{}`", result.command)).unwrap_or_default();
                let message = format!(
                    "the setup of the checks failed{at}; fix it and hand the task in again"
                );
                let details =
                    serde_json::json!({ "output_tail": result.map(|result| &result.output_tail) });
                self.close_review(None, false, None);
                self.park(AnnotationType::ChecksBroken, &message, details)
            }
            (Some(result), _) => {
                let feedback = result.describe();
                self.gate_rejected(feedback, None)
            }
            (None, Some(role)) => {
                let role = role.clone();
                self.open_execution(&role, ExecutionPurpose::Judge)
            }
            (None, None) => self.gate_passed(None, None),
        }
    }

    /// Assigns the gate's role to the project's default reviewer, if the task names no holder.
    fn assign_default_reviewer(&mut self, role: Option<&RoleName>) {
        let vacant = role.filter(|role| !self.task.roles.contains_key(*role));
        if let (Some(role), Some(assignee)) = (vacant, self.facts.default_reviewer) {
            let overrides = Box::default();
            self.emit(TaskEvent::TaskAssigned { role: role.clone(), assignee, overrides });
        }
    }

    /// The judge's execution has ended. A verdict given by a call takes precedence over a printed one.
    pub(crate) fn judge_ended(
        &mut self,
        run: &TaskExecution,
        result: &ExecutionResult,
    ) -> Result<(), Refusal> {
        let called = self.task.gate.verdict.clone();
        let by = Some(run.assignee);
        match called.or_else(|| result.printed_verdict().cloned()) {
            Some(Verdict::Pass { feedback }) => self.gate_passed(feedback, by),
            Some(Verdict::Fail { feedback }) => self.gate_rejected(feedback, by),
            Some(Verdict::Blocked { feedback }) => {
                let message = format!("the reviewer could not judge: {feedback}");
                self.close_review(Some(Verdict::Blocked { feedback }), false, by);
                self.park(AnnotationType::ReviewBlocked, &message, serde_json::Value::Null)
            }
            // M-3: a missing or unreadable verdict is never a pass.
            None if self.task.gate.unreadable < MOST_ASKED => self.ask_judge_again(run, result),
            None => {
                self.close_review(None, false, None);
                let message = "the reviewer was asked twice and gave no readable verdict; read its log, then hand the task \
                               in again, or approve or reject the attempt yourself";
                let details = serde_json::json!({ "output_tail": result.tail });
                self.park(AnnotationType::ReviewBlocked, message, details)
            }
        }
    }

    /// Asks again in the same conversation, if there is one.
    fn ask_judge_again(
        &mut self,
        run: &TaskExecution,
        result: &ExecutionResult,
    ) -> Result<(), Refusal> {
        let message = ASK_AGAIN.to_owned();
        match result.told.session.clone() {
            Some(session) => self.follow_up = Some(FollowUpMessage { session, message }),
            None => self.messages = vec![message],
        }
        self.open_execution(&run.role, ExecutionPurpose::Judge)
    }

    fn gate_passed(
        &mut self,
        feedback: Option<String>,
        by: Option<Assignee>,
    ) -> Result<(), Refusal> {
        let StateBehaviour::Gate { pass, auto_advance, .. } = &self.state()?.behaviour else {
            return Ok(());
        };
        self.close_review(Some(Verdict::Pass { feedback }), false, by);
        if *auto_advance { self.enter_state(pass, false, None) } else { Ok(()) }
    }

    fn gate_rejected(&mut self, feedback: String, by: Option<Assignee>) -> Result<(), Refusal> {
        let state = self.state()?;
        let StateBehaviour::Gate { reject, exhausted, max_attempts, .. } = &state.behaviour else {
            return Ok(());
        };
        self.close_review(Some(Verdict::Fail { feedback: feedback.clone() }), true, by);
        let rejections = self.task.rejections.get(&state.name).copied().unwrap_or(0);
        if max_attempts.is_some_and(|most| rejections >= most) {
            self.enter_state(exhausted, true, Some(&feedback))?;
            let message = format!(
                "\"{}\" rejected the work {rejections} times; read the feedback and decide",
                state.name
            );
            self.annotate(
                AnnotationType::GateExhausted,
                message,
                serde_json::json!({ "feedback": feedback }),
            );
            return Ok(());
        }
        self.enter_state(reject, true, Some(&feedback))
    }

    pub(crate) fn close_review(
        &mut self,
        verdict: Option<Verdict>,
        counted: bool,
        by: Option<Assignee>,
    ) {
        if let Some(review) = self.task.review {
            self.emit(TaskEvent::ReviewFinished { review, verdict, counted, by });
        }
    }

    /// Closes a review without a verdict, because the task moves on.
    pub(crate) fn abandon_review(&mut self, review: ReviewId) {
        self.emit(TaskEvent::ReviewFinished { review, verdict: None, counted: false, by: None });
    }

    /// M-4: sends the gate's feedback to the agent in the conversation in which it did the work.
    pub(crate) fn send_feedback(&mut self, role: &RoleName) {
        if !self.task.sent_back || self.follow_up.is_some() {
            return;
        }
        let holder = self.task.roles.get(role).and_then(Assignee::agent);
        let session = self.task.sessions.get(role).filter(|known| Some(known.agent) == holder);
        if let (Some(session), Some(feedback)) = (session, &self.task.feedback) {
            let message = format!("{SENT_BACK}\n\n{feedback}");
            self.follow_up = Some(FollowUpMessage { session: session.id.clone(), message });
        }
    }
}
