//! An agent whose allowance is used up waits, visibly, and goes on by itself (E-9).

use super::draft::Draft;
use crate::report::RunResult;
use crate::task::{AnnotationType, Run};
use crate::told::{QUOTA_WAIT_SECONDS, RunFailure};
use crate::{Event, Refusal};

/// How often one visit of a state waits before a person is asked.
const MOST_QUOTA_WAITS: u32 = 48;

impl Draft<'_> {
    /// The same turn again, once the allowance is back. Whatever moves the task ends the wait.
    pub(super) fn wait_for_quota(
        &mut self,
        run: &Run,
        failure: &RunFailure,
        result: &RunResult,
    ) -> Result<(), Refusal> {
        if self.task.quota_waits > MOST_QUOTA_WAITS {
            let message = format!(
                "the agent's allowance was used up {MOST_QUOTA_WAITS} times in a row; give the role to another \
                 agent, or move the task back later"
            );
            return self.park(AnnotationType::ExecutionFailed, &message, serde_json::Value::Null);
        }
        let now = self.now();
        let until = failure.back_at(now);
        let message = match failure.until {
            Some(_) => {
                "the agent's allowance is used up; it goes on by itself at the time that its program named"
                    .to_owned()
            }
            None => format!(
                "the agent's allowance is used up, and its program did not say until when; it tries again in {} \
                 minutes",
                QUOTA_WAIT_SECONDS / 60
            ),
        };
        let details = serde_json::json!({
            "until": until,
            "waits": self.task.quota_waits,
            "said": failure.message,
            "output_tail": result.tail,
        });
        self.follow_up.clone_from(&run.follow_up);
        self.open_run_at(&run.role, run.purpose, until)?;
        self.annotate(AnnotationType::QuotaWait, message, details);
        Ok(())
    }

    /// The wait is over when the agent works again.
    pub(super) fn end_quota_wait(&mut self) {
        let waits = self
            .task
            .annotation
            .as_ref()
            .is_some_and(|note| note.kind == AnnotationType::QuotaWait);
        if waits {
            self.emit(Event::TaskAnnotated { annotation: None });
        }
    }
}
