//! Agents that show no sign of life (T-23).

use super::draft::Draft;
use crate::report::Silence;
use crate::task::{Activity, AnnotationType, Purpose};
use crate::{Event, ExecutionId, Refusal, Timestamp};

impl Draft<'_> {
    pub(super) fn silence(
        &mut self,
        execution: ExecutionId,
        silence: Silence,
    ) -> Result<(), Refusal> {
        if self.task.activity != Some(Activity::Running { execution }) {
            return Ok(());
        }
        match silence {
            Silence::Stalled { since } => {
                self.stalled(execution, since);
                Ok(())
            }
            Silence::Stuck { since } => self.stuck(execution, since),
            Silence::Broken => {
                self.forget_stall();
                Ok(())
            }
        }
    }

    /// First threshold: everybody can see it, nothing is touched.
    fn stalled(&mut self, execution: ExecutionId, since: Timestamp) {
        if self.is_stalled() {
            return;
        }
        self.emit(Event::ExecutionStalled { execution, since });
        if self.task.annotation.is_none() {
            let message = "the agent neither printed nor changed anything for a while; look at its pulse, then wait, \
                           stop it or begin it anew";
            let details = serde_json::json!({ "execution": execution, "since": since });
            self.annotate(AnnotationType::Stalled, message, details);
        }
    }

    /// Second threshold: a person decides.
    fn stuck(&mut self, execution: ExecutionId, since: Timestamp) -> Result<(), Refusal> {
        if self.task.run.as_ref().is_some_and(|run| run.purpose == Purpose::Judge) {
            self.close_review(None, false, None);
        }
        let message = "the agent showed no sign of life for so long that it was stopped; its work is in the journal. \
                       Look at its log, then begin it anew or hand the task to another";
        let details = serde_json::json!({ "execution": execution, "since": since });
        self.park(AnnotationType::Stuck, message, details)
    }

    /// A sign of life, or the end of the run.
    pub(super) fn forget_stall(&mut self) {
        if self.is_stalled() {
            self.emit(Event::TaskAnnotated { annotation: None });
        }
    }

    fn is_stalled(&self) -> bool {
        let trouble = self.task.annotation.as_ref();
        trouble.is_some_and(|trouble| trouble.kind == AnnotationType::Stalled)
    }
}
