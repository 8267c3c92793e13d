//! Taking back what a task landed: by another task, which lands like any other.

use super::draft::Draft;
use crate::joined::Inverted;
use crate::task::{Activity, AnnotationType, Workspace};
use crate::workflow::{Behaviour, StateRef, Workflow};
use crate::{Actor, Event, Refusal, TaskId};

impl Draft<'_> {
    /// Another task takes back what this one landed.
    pub(super) fn revert(&mut self, by: TaskId) -> Result<(), Refusal> {
        self.check_landed("revert")?;
        self.emit(Event::TaskReverted { by });
        Ok(())
    }

    /// Whether there is something that can be taken back.
    pub(super) fn check_landed(&self, what: &'static str) -> Result<(), Refusal> {
        if matches!(self.actor(), Actor::Agent { .. }) {
            return Err(Refusal::PeopleOnly(
                "take back what a task landed, or say that it broke something",
            ));
        }
        let landed = self.task.aftermath.landed.as_ref();
        match landed.and_then(|landed| landed.commit.as_ref()) {
            Some(_) => Ok(()),
            None => Err(Refusal::NotLanded { key: self.task.key(), what }),
        }
    }

    /// The workspace of a task that takes another's work back is there.
    pub(super) fn inverted(
        &mut self,
        workspace: &Workspace,
        result: &Inverted,
    ) -> Result<(), Refusal> {
        let expected = self.task.activity == Some(Activity::Reverting) && self.task.visit == 0;
        self.emit(Event::WorkspaceInverted { result: result.clone() });
        self.emit(Event::WorkspaceCreated { workspace: workspace.clone() });
        if !expected {
            let state = self.state()?;
            let rests =
                matches!(state.behaviour, Behaviour::Hold { .. } | Behaviour::Terminal { .. });
            let idle = self.task.activity.is_none();
            return if rests && idle { self.begin() } else { Ok(()) };
        }
        match result {
            Inverted::Clean { .. } => self.begin(),
            Inverted::Conflict { files, hunks } => {
                let message = format!(
                    "later work stands in the way of the revert in {}; both sides are in the workspace, for whoever takes it",
                    files.join(", ")
                );
                let details = serde_json::json!({ "files": files, "hunks": hunks });
                self.park(AnnotationType::MergeConflict, &message, details)
            }
        }
    }
}

/// Where a task begins whose work is there already: at the gate, else where it lands.
pub(super) fn entry(workflow: &Workflow) -> Option<StateRef> {
    let gate = workflow.states().find(|state| matches!(state.behaviour, Behaviour::Gate { .. }));
    let merge =
        || workflow.states().find(|state| matches!(state.behaviour, Behaviour::Merge { .. }));
    gate.or_else(merge).map(StateRef::from)
}
