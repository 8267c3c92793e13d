//! The gate (M-2 to M-4): checks, then the role's verdict.

use super::draft::Draft;
use crate::report::{CheckOutcome, CheckResult, RunResult, Verdict};
use crate::task::{AnnotationType, Purpose};
use crate::workflow::Behaviour;
use crate::{Event, Refusal, ReviewId};

impl Draft<'_> {
    pub(super) fn checks_ended(
        &mut self,
        review: ReviewId,
        commit: &str,
        results: &[CheckResult],
        setup_failed: bool,
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
                self.close_review(None, false);
                self.park(AnnotationType::ChecksBroken, &message, details)
            }
            (Some(result), _) => {
                let feedback = result.describe();
                self.rejected(feedback)
            }
            (None, Some(role)) => {
                let role = role.clone();
                self.open_run(&role, Purpose::Judge)
            }
            (None, None) => self.passed(None),
        }
    }

    /// The reviewer's run is over.
    pub(super) fn judged(&mut self, result: &RunResult) -> Result<(), Refusal> {
        match &result.verdict {
            Some(Verdict::Pass { feedback }) => self.passed(feedback.clone()),
            Some(Verdict::Fail { feedback }) => self.rejected(feedback.clone()),
            Some(blocked @ Verdict::Blocked { feedback }) => {
                self.close_review(Some(blocked.clone()), false);
                let message = format!("the reviewer could not judge: {feedback}");
                self.park(AnnotationType::ReviewBlocked, &message, serde_json::Value::Null)
            }
            None => {
                // M-3: no readable verdict is never a pass.
                self.close_review(None, false);
                let message = "the reviewer gave no readable verdict; read its log, then hand the task in again";
                let details = serde_json::json!({ "output_tail": result.tail });
                self.park(AnnotationType::ReviewBlocked, message, details)
            }
        }
    }

    fn passed(&mut self, feedback: Option<String>) -> Result<(), Refusal> {
        let Behaviour::Gate { pass, auto_advance, .. } = &self.state()?.behaviour else {
            return Ok(());
        };
        self.close_review(Some(Verdict::Pass { feedback }), false);
        if *auto_advance { self.arrive(pass, false, None) } else { Ok(()) }
    }

    fn rejected(&mut self, feedback: String) -> Result<(), Refusal> {
        let state = self.state()?;
        let Behaviour::Gate { reject, exhausted, max_attempts, .. } = &state.behaviour else {
            return Ok(());
        };
        self.close_review(Some(Verdict::Fail { feedback: feedback.clone() }), true);
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

    pub(super) fn close_review(&mut self, verdict: Option<Verdict>, counted: bool) {
        if let Some(review) = self.task.review {
            self.emit(Event::ReviewFinished { review, verdict, counted });
        }
    }
}
