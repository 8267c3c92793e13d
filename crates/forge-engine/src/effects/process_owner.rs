//! The owner of the processes that checks, setups and executions start.

use crate::effects::EffectError;
use forge_domain::{ExecutionId, ReviewId};
use forge_proc::ProcessMark;
use std::fmt;
use std::time::Duration;
use uuid::Uuid;

/// Time between SIGTERM and SIGKILL.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// The process mark of an execution or review.
pub(crate) fn process_mark(id: Uuid) -> Result<ProcessMark, EffectError> {
    ProcessMark::new(id.to_string()).map_err(EffectError::transient)
}

/// The id of a gate attempt, an execution or a landing. Its processes carry it as a mark, and its log is named after
/// it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProcessOwner(Uuid);

impl ProcessOwner {
    /// The owner id of a landing.
    pub(crate) fn of_landing(mark: Uuid) -> Self {
        Self(mark)
    }

    pub(crate) fn uuid(self) -> Uuid {
        self.0
    }

    /// The mark that its processes carry.
    pub(crate) fn process_mark(self) -> Result<ProcessMark, EffectError> {
        process_mark(self.0)
    }
}

impl From<ReviewId> for ProcessOwner {
    fn from(review: ReviewId) -> Self {
        Self(review.uuid())
    }
}

impl From<ExecutionId> for ProcessOwner {
    fn from(execution: ExecutionId) -> Self {
        Self(execution.uuid())
    }
}

impl fmt::Display for ProcessOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
