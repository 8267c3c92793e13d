//! Reverts a landing by another task, which lands like any other.

use crate::branch_update::RevertResult;
use crate::decide::decision_builder::DecisionBuilder;
use crate::task::{AnnotationType, TaskActivity, Workspace};
use crate::workflow::{StateBehaviour, StateRef, Workflow};
use crate::{Actor, Refusal, TaskEvent, TaskId};

impl DecisionBuilder<'_> {
    /// Records that another task reverts this one's landing.
    pub(crate) fn revert(&mut self, by: TaskId) -> Result<(), Refusal> {
        self.check_landed("revert")?;
        self.emit(TaskEvent::TaskReverted { by });
        Ok(())
    }

    /// Checks that the task has a landing to revert.
    pub(crate) fn check_landed(&self, what: &'static str) -> Result<(), Refusal> {
        if matches!(self.actor(), Actor::Agent { .. }) {
            return Err(Refusal::PeopleOnly(
                "take back what a task landed, or say that it broke something",
            ));
        }
        if self.outside_landing().is_some() && what == "revert" {
            return Ok(());
        }
        let landed = self.task.post_landing.landed.as_ref();
        match landed.and_then(|landed| landed.commit.as_ref()) {
            Some(_) => Ok(()),
            None => Err(Refusal::NotLanded { key: self.task.key(), what }),
        }
    }

    /// The workspace of the reverting task is ready.
    pub(crate) fn revert_applied(
        &mut self,
        workspace: &Workspace,
        result: &RevertResult,
    ) -> Result<(), Refusal> {
        let expected = self.task.activity == Some(TaskActivity::Reverting) && self.task.visit == 0;
        self.emit(TaskEvent::WorkspaceInverted { result: result.clone() });
        self.emit(TaskEvent::WorkspaceCreated { workspace: workspace.clone() });
        if !expected {
            let state = self.state()?;
            let rests = matches!(
                state.behaviour,
                StateBehaviour::Hold { .. } | StateBehaviour::Terminal { .. }
            );
            let idle = self.task.activity.is_none();
            return if rests && idle { self.start_state_work() } else { Ok(()) };
        }
        match result {
            RevertResult::Clean { .. } => self.start_state_work(),
            RevertResult::Conflict { files, hunks } => {
                let message = format!(
                    "later work conflicts with the revert in {}; the workspace contains both sides, resolve them there",
                    files.join(", ")
                );
                let details = serde_json::json!({ "files": files, "hunks": hunks });
                self.park(AnnotationType::MergeConflict, &message, details)
            }
        }
    }
}

/// State in which a task starts whose work already exists: the gate, else the merge state.
pub(crate) fn revert_entry_state(workflow: &Workflow) -> Option<StateRef> {
    let gate =
        workflow.states().find(|state| matches!(state.behaviour, StateBehaviour::Gate { .. }));
    let merge =
        || workflow.states().find(|state| matches!(state.behaviour, StateBehaviour::Merge { .. }));
    gate.or_else(merge).map(StateRef::from)
}
