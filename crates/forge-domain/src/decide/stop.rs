//! Ending what is under way.

use super::draft::Draft;
use crate::report::{Ending, RunResult};
use crate::task::Activity;
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
        self.begin()
    }

    /// The earlier stop was superseded with everything else that waited; it must still happen.
    pub(super) fn rewant_stop(&mut self) {
        if let Some(Activity::Stopping { mark }) = self.task.activity {
            self.want(Effect::Stop { mark });
        }
    }
}
