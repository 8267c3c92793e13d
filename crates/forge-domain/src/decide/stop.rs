//! Ending what is under way.

use super::draft::Draft;
use crate::report::{Ending, RunResult};
use crate::task::{Activity, AnnotationType, Purpose};
use crate::workflow::Behaviour;
use crate::{Effect, Event, Refusal};
use uuid::Uuid;

impl Draft<'_> {
    /// Nothing with this mark lives any more: the state the task is in may begin.
    pub(super) fn stopped(&mut self, mark: Uuid) -> Result<(), Refusal> {
        if self.task.activity != Some(Activity::Stopping { mark }) {
            return Ok(());
        }
        if let Some(execution) = self.task.run.as_ref().map(|run| run.execution) {
            // The turn never began, or its end was lost; either way it is over.
            let result = RunResult::bare(Ending::Stopped);
            self.emit(Event::ExecutionFinished { execution, result });
        }
        self.emit(Event::TaskStopped { mark });
        if self.is_halted() {
            return Ok(());
        }
        match (&self.state()?.behaviour, self.task.review) {
            // Only a judge that is begun anew is stopped with its review still open.
            (Behaviour::Gate { role: Some(role), .. }, Some(_)) => {
                self.open_run(role, Purpose::Judge)
            }
            // A person let it pass while its judge was at work: nothing is left to be done here.
            (Behaviour::Gate { .. }, None) if self.is_approved_here() => Ok(()),
            _ => self.begin(),
        }
    }

    /// T-13: whether a person stopped its run, so that nothing goes on by itself.
    pub(super) fn is_halted(&self) -> bool {
        let trouble = self.task.annotation.as_ref();
        trouble.is_some_and(|trouble| trouble.kind == AnnotationType::Stopped)
    }

    /// The earlier stop was superseded with everything else that waited; it must still happen.
    pub(super) fn rewant_stop(&mut self) {
        if let Some(Activity::Stopping { mark }) = self.task.activity {
            self.want(Effect::Stop { mark });
        }
    }
}
