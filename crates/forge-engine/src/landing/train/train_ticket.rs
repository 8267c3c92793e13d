//! The connection between a landing effect and its merge train.

use crate::landing::train::merge_train::{MergeTrain, TrialKey};
use crate::landing::train::trial_merge::TrialMerge;
use forge_domain::TaskId;
use forge_git::ObjectId;
use std::sync::Arc;
use tokio::sync::watch;

/// The planner's instruction to a landing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TrainInstruction {
    /// Nothing to do now.
    Wait,
    /// Run the checks on this commit.
    Test {
        commit: ObjectId,
        trial: TrialKey,
        /// Whether the checks failed there before.
        again: bool,
    },
    /// Move the target to this tested commit.
    Land { base: ObjectId, commit: ObjectId, tree: ObjectId },
    /// Leave the train: the checks failed twice on this commit, with nothing ahead of it.
    Evict { base: ObjectId, commit: ObjectId },
    /// Leave the train: the branch conflicts with its target.
    Conflict { trial_merge: TrialMerge },
    /// Leave the train: the target already contains the branch.
    AlreadyMerged,
    /// The planner failed.
    Failed(String),
}

/// Connects a landing effect to its train: it receives the planner's instructions, reports results, and removes the entry when
/// it is dropped.
#[derive(Debug)]
pub(crate) struct TrainTicket {
    train: Arc<MergeTrain>,
    task: TaskId,
    instructions: watch::Receiver<TrainInstruction>,
}

impl TrainTicket {
    pub(crate) fn new(
        train: Arc<MergeTrain>,
        task: TaskId,
        instructions: watch::Receiver<TrainInstruction>,
    ) -> Self {
        Self { train, task, instructions }
    }

    /// The current instruction.
    pub(crate) fn instruction(&mut self) -> TrainInstruction {
        self.instructions.borrow_and_update().clone()
    }

    /// Waits for another instruction.
    pub(crate) async fn changed(&mut self) {
        if self.instructions.changed().await.is_err() {
            // The planner loop ended with the engine, and this effect ends with it.
            std::future::pending::<()>().await;
        }
    }

    /// The train of this ticket.
    pub(crate) fn train(&self) -> &Arc<MergeTrain> {
        &self.train
    }

    /// Reports the result of the checks.
    pub(crate) fn record_test(&self, trial: &TrialKey, passed: bool) {
        self.train.record_test(self.task, trial, passed);
    }

    /// Reports that another process moved the target.
    pub(crate) fn report_lost_race(&self) {
        self.train.retract_instruction(self.task);
    }

    /// Reports that the task landed.
    pub(crate) fn report_landed(self) {
        self.train.remove_landed(self.task);
    }

    /// Leaves the train as the cause of a failure.
    pub(crate) fn leave_evicted(self) {
        self.train.remove_entry(self.task, true);
    }
}

impl Drop for TrainTicket {
    fn drop(&mut self) {
        self.train.remove_entry(self.task, false);
    }
}
