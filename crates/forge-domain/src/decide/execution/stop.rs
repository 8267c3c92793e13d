//! Stops the current activity.

use crate::decide::decision_builder::DecisionBuilder;
use crate::report::{ExecutionEnding, ExecutionResult};
use crate::task::{AnnotationType, ExecutionPurpose, TaskActivity};
use crate::workflow::StateBehaviour;
use crate::{Effect, Refusal, TaskEvent};
use uuid::Uuid;

impl DecisionBuilder<'_> {
    /// No process with this mark is left: the work of the current state can start.
    pub(crate) fn stop_completed(&mut self, mark: Uuid) -> Result<(), Refusal> {
        if self.task.activity != Some(TaskActivity::Stopping { mark }) {
            return Ok(());
        }
        if let Some(execution) = self.task.run.as_ref().map(|run| run.execution) {
            // The execution never started, or its end was lost; in both cases it is over.
            let result = ExecutionResult::without_work(ExecutionEnding::Stopped);
            self.emit(TaskEvent::ExecutionFinished { execution, result });
        }
        self.emit(TaskEvent::TaskStopped { mark });
        if self.is_stopped_by_person() {
            return Ok(());
        }
        match (&self.state()?.behaviour, self.task.review) {
            // Only a judge that is restarted is stopped while its review is open.
            (StateBehaviour::Gate { role: Some(role), .. }, Some(_)) => {
                self.open_execution(role, ExecutionPurpose::Judge)
            }
            // A person passed the attempt while its judge was running: nothing is left to do here.
            (StateBehaviour::Gate { .. }, None) if self.is_approved_here() => Ok(()),
            _ => self.start_state_work(),
        }
    }

    /// T-13: whether a person stopped the execution, so that nothing continues by itself.
    pub(crate) fn is_stopped_by_person(&self) -> bool {
        let trouble = self.task.annotation.as_ref();
        trouble.is_some_and(|trouble| trouble.kind == AnnotationType::Stopped)
    }

    /// Plans the stop again, which was superseded with the other pending effects.
    pub(crate) fn replan_stop(&mut self) {
        if let Some(TaskActivity::Stopping { mark }) = self.task.activity {
            self.plan_effect(Effect::Stop { mark });
        }
    }
}
