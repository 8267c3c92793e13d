//! A task's place in a line, as the step that lands it sees it.

use super::line::{Line, Tested};
use super::placing::Placement;
use forge_domain::TaskId;
use forge_git::ObjectId;
use std::sync::Arc;
use tokio::sync::watch;

/// What a step is to do next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing for now.
    Wait,
    /// Run the checks on this commit.
    Try {
        commit: ObjectId,
        tested: Tested,
        /// Whether they failed there before.
        again: bool,
    },
    /// Move the target from one commit to the other: it was tested.
    Land { base: ObjectId, commit: ObjectId, tree: ObjectId },
    /// Leave: the checks fail on this commit whatever stands around it.
    Leave { base: ObjectId, commit: ObjectId },
    /// Leave: it does not fit on its target.
    Conflict { placement: Placement },
    /// Leave: its target has all of it.
    Nothing,
    /// It could not be found out what to do.
    Failed(String),
}

/// While it is held, the task rides; dropped, it has left.
#[derive(Debug)]
pub(crate) struct Seat {
    line: Arc<Line>,
    task: TaskId,
    orders: watch::Receiver<Told>,
}

impl Seat {
    pub(super) fn new(line: Arc<Line>, task: TaskId, orders: watch::Receiver<Told>) -> Self {
        Self { line, task, orders }
    }

    /// What is to be done now.
    pub(crate) fn told(&mut self) -> Told {
        self.orders.borrow_and_update().clone()
    }

    /// Waits until something else is to be done.
    pub(crate) async fn changed(&mut self) {
        if self.orders.changed().await.is_err() {
            // Nobody plans any more: the engine ends, and this step with it.
            std::future::pending::<()>().await;
        }
    }

    /// The line that it is in.
    pub(crate) fn line(&self) -> &Arc<Line> {
        &self.line
    }

    /// The checks ended.
    pub(crate) fn tried(&self, tested: &Tested, passed: bool) {
        self.line.tried(self.task, tested, passed);
    }

    /// Somebody else moved the target.
    pub(crate) fn lost_a_race(&self) {
        self.line.retract(self.task);
    }

    /// It is in.
    pub(crate) fn landed(self) {
        self.line.landed(self.task);
    }

    /// It is out, and to blame.
    pub(crate) fn evicted(self) {
        self.line.left(self.task, true);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.line.left(self.task, false);
    }
}
