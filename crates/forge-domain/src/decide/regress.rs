//! What a landing broke.

use super::draft::Draft;
use crate::task::{AnnotationType, FailedCheck, Regression, Verified};
use crate::{Event, Refusal, TaskId};

const LONGEST_REASON: usize = 10_000;

impl Draft<'_> {
    /// Says that what the task landed broke something, and who mends it.
    pub(super) fn regress(
        &mut self,
        reason: &str,
        checks: &[FailedCheck],
        fix: TaskId,
    ) -> Result<(), Refusal> {
        self.check_landed("mend")?;
        let problem = if reason.trim().is_empty() {
            Some("say what broke; it becomes the description of the task that mends it")
        } else if reason.len() > LONGEST_REASON {
            Some("has at most 10,000 bytes; put the rest into a comment")
        } else {
            None
        };
        if let Some(problem) = problem {
            return Err(Refusal::InvalidField { field: "reason", problem: problem.to_owned() });
        }
        let reason = reason.trim().to_owned();
        let message = format!("what it landed broke something: {reason}");
        let details = serde_json::json!({ "reason": reason, "checks": checks, "fix": fix });
        let (checks, at) = (checks.to_vec(), self.now());
        let regression = Box::new(Regression { reason, checks, fix, at });
        if !regression.checks.is_empty() {
            self.emit(Event::TaskVerified { result: Verified::Failed });
        }
        self.emit(Event::TaskRegressed { regression });
        self.annotate(AnnotationType::Regressed, message, details);
        Ok(())
    }
}
