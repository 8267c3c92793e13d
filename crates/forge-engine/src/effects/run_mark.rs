//! What everything that one run starts is marked with.

use super::Failure;
use super::perform::mark_of;
use forge_domain::{ExecutionId, ReviewId};
use forge_proc::Mark;
use std::fmt;
use uuid::Uuid;

/// The identity of whatever has checks or a setup run for it: an attempt at a gate, an execution, or a landing. Its
/// processes are found by it, and its log is named after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunMark(Uuid);

impl RunMark {
    /// That of a landing, as its task knows it.
    pub(super) fn of_landing(mark: Uuid) -> Self {
        Self(mark)
    }

    pub(super) fn uuid(self) -> Uuid {
        self.0
    }

    /// What its processes carry.
    pub(super) fn of_processes(self) -> Result<Mark, Failure> {
        mark_of(self.0)
    }
}

impl From<ReviewId> for RunMark {
    fn from(review: ReviewId) -> Self {
        Self(review.uuid())
    }
}

impl From<ExecutionId> for RunMark {
    fn from(execution: ExecutionId) -> Self {
        Self(execution.uuid())
    }
}

impl fmt::Display for RunMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
