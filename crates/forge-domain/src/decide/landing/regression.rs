//! Records that a landing broke something.

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::{AnnotationType, RegressionCheck, RegressionRecord, VerificationResult};
use crate::{Refusal, TaskEvent, TaskId};

const LONGEST_REASON: usize = 10_000;

impl DecisionBuilder<'_> {
    /// Records what the landing broke, and the task that fixes it.
    pub(crate) fn regress(
        &mut self,
        reason: &str,
        checks: &[RegressionCheck],
        fix: TaskId,
    ) -> Result<(), Refusal> {
        self.check_landed("mend")?;
        let problem = if reason.trim().is_empty() {
            Some("say what broke; it becomes the description of the task that fixes it")
        } else if reason.len() > LONGEST_REASON {
            Some("has at most 10,000 bytes; put the rest into a comment")
        } else {
            None
        };
        if let Some(problem) = problem {
            return Err(Refusal::InvalidField { field: "reason", problem: problem.to_owned() });
        }
        let reason = reason.trim().to_owned();
        let message = format!("its landing broke something: {reason}");
        let details = serde_json::json!({ "reason": reason, "checks": checks, "fix": fix });
        let (checks, at) = (checks.to_vec(), self.now());
        let regression = Box::new(RegressionRecord { reason, checks, fix, at });
        if !regression.checks.is_empty() {
            self.emit(TaskEvent::TaskVerified { result: VerificationResult::Failed });
        }
        self.emit(TaskEvent::TaskRegressed { regression });
        self.annotate(AnnotationType::Regressed, message, details);
        Ok(())
    }
}
