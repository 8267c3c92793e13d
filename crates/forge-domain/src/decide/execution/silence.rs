//! Agents without output or file changes (T-23).

use crate::decide::decision_builder::DecisionBuilder;
use crate::report::SilenceChange;
use crate::task::{AnnotationType, ExecutionPurpose, TaskActivity};
use crate::{ExecutionId, Refusal, TaskEvent, Timestamp};

impl DecisionBuilder<'_> {
    pub(crate) fn silence_changed(
        &mut self,
        execution: ExecutionId,
        silence: SilenceChange,
    ) -> Result<(), Refusal> {
        if self.task.activity != Some(TaskActivity::Running { execution }) {
            return Ok(());
        }
        match silence {
            SilenceChange::Stalled { since } => {
                self.record_stall(execution, since);
                Ok(())
            }
            SilenceChange::Stuck { since } => self.stop_stuck_execution(execution, since),
            SilenceChange::Broken => {
                self.clear_stall();
                Ok(())
            }
        }
    }

    /// First threshold: annotates the task and changes nothing else.
    fn record_stall(&mut self, execution: ExecutionId, since: Timestamp) {
        if self.is_stalled() {
            return;
        }
        self.emit(TaskEvent::ExecutionStalled { execution, since });
        if self.task.annotation.is_none() {
            let message = "the agent neither printed nor changed anything for a while; look at its pulse, then wait, \
                           stop it or restart it";
            let details = serde_json::json!({ "execution": execution, "since": since });
            self.annotate(AnnotationType::Stalled, message, details);
        }
    }

    /// Second threshold: stops the execution and parks the task.
    fn stop_stuck_execution(
        &mut self,
        execution: ExecutionId,
        since: Timestamp,
    ) -> Result<(), Refusal> {
        if self.task.run.as_ref().is_some_and(|run| run.purpose == ExecutionPurpose::Judge) {
            self.close_review(None, false, None);
        }
        let message = "the agent showed no sign of life for so long that it was stopped; its work is in the journal. \
                       Read its log, then restart it or assign another agent";
        let details = serde_json::json!({ "execution": execution, "since": since });
        self.park(AnnotationType::Stuck, message, details)
    }

    /// Clears the annotation when the agent is active again or its execution ends.
    pub(crate) fn clear_stall(&mut self) {
        if self.is_stalled() {
            self.emit(TaskEvent::TaskAnnotated { annotation: None });
        }
    }

    fn is_stalled(&self) -> bool {
        let trouble = self.task.annotation.as_ref();
        trouble.is_some_and(|trouble| trouble.kind == AnnotationType::Stalled)
    }
}
