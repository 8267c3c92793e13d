//! A fresh start for a task's workspace (W-9), and the loss of one (W-8).

use super::draft::Draft;
use crate::task::{Activity, AnnotationType, Workspace, WorkspaceStatus};
use crate::workflow::{Behaviour, Standing};
use crate::{Effect, Event, Refusal};

impl Draft<'_> {
    /// Throws the workspace away for a new one. The task waits to be claimed again.
    pub(super) fn reset_workspace(&mut self) -> Result<(), Refusal> {
        self.check_reset()?;
        if let Some(review) = self.task.review {
            self.overtake_review(review);
        }
        if self.task.review_passed_at.is_some() {
            self.emit(Event::TaskUnpassed);
        }
        let queued = matches!(self.state()?.behaviour, Behaviour::Queue { .. });
        if let (false, Some(pool)) = (queued, self.workflow.pool()) {
            self.arrive(&pool, false, Some("workspace reset"))?;
        }
        self.emit(Event::WorkspaceCleaning);
        self.want(Effect::ResetWorkspace);
        Ok(())
    }

    /// Whether the workspace can be thrown away now.
    pub(super) fn check_reset(&self) -> Result<(), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("reset a workspace"));
        }
        let key = self.task.key();
        if self.state()?.is_terminal() {
            return Err(Refusal::TaskTerminal { key });
        }
        let lost = self
            .task
            .annotation
            .as_ref()
            .is_some_and(|trouble| trouble.kind == AnnotationType::WorkspaceResetRequired);
        if self.task.workspace.is_none() && !lost {
            return Err(Refusal::WorkspaceMissing { key });
        }
        self.check_nobody_works()
    }

    /// Removes the worktree before its time, or although its task goes on: the next claim makes it again.
    pub(super) fn clean_workspace(&mut self) -> Result<(), Refusal> {
        if !self.actor().is_person() {
            return Err(Refusal::PeopleOnly("remove a workspace"));
        }
        let there = self.task.workspace.as_ref();
        if there.is_none_or(|found| found.status == WorkspaceStatus::Cleaned) {
            return Err(Refusal::WorkspaceMissing { key: self.task.key() });
        }
        self.check_nobody_works()?;
        self.check_no_turn_open()?;
        // A removal that was planned for later has lost its point.
        self.supersede();
        self.emit(Event::WorkspaceCleaning);
        self.want(Effect::CleanWorkspace {
            retire_branch: self.task.standing == Standing::Succeeded,
        });
        Ok(())
    }

    pub(super) fn check_nobody_works(&self) -> Result<(), Refusal> {
        let run = self.task.run.as_ref();
        let holder = match self.task.activity {
            Some(Activity::Checking { review }) => Some(format!("review {review}")),
            Some(Activity::Landing) => Some("its landing".to_owned()),
            Some(Activity::Stopping { .. }) => Some("a run that is being stopped".to_owned()),
            Some(Activity::EndingTurns) => Some("a turn that is being ended".to_owned()),
            Some(Activity::Rebasing) => Some("the merge of its target".to_owned()),
            Some(Activity::Reverting) => Some("the making of its revert".to_owned()),
            Some(Activity::Preparing { .. } | Activity::Running { .. } | Activity::Cleaning)
            | None => self.turn_at_work().map(|turn| turn.key.clone()),
        };
        let holder = holder
            .or_else(|| run.map(|run| format!("{} in execution {}", run.role, run.execution)));
        match holder {
            Some(holder) => Err(Refusal::WorkspaceLocked { key: self.task.key(), holder }),
            None => Ok(()),
        }
    }

    /// The old one is gone, its work kept; the new one is there (W-9).
    pub(super) fn workspace_renewed(
        &mut self,
        workspace: &Workspace,
        warnings: &[String],
    ) -> Result<(), Refusal> {
        self.emit(Event::WorkspaceCleaned { branch_deleted: true, warnings: warnings.to_vec() });
        if self.task.annotation.is_some() {
            self.emit(Event::TaskAnnotated { annotation: None });
        }
        self.emit(Event::WorkspaceReset);
        self.emit(Event::WorkspaceCreated { workspace: workspace.clone() });
        let waits =
            matches!(self.state()?.behaviour, Behaviour::Hold { .. } | Behaviour::Terminal { .. });
        if waits && self.task.activity.is_none() {
            // The task was parked or called off meanwhile: its state cleans up after all.
            return self.begin();
        }
        Ok(())
    }

    /// The workspace and its branch are gone: what was recorded of it says nothing any more (W-8).
    pub(super) fn forget_lost_workspace(&mut self, trouble: AnnotationType, message: &str) {
        if trouble == AnnotationType::WorkspaceResetRequired && self.task.workspace.is_some() {
            let warnings = vec![message.to_owned()];
            self.emit(Event::WorkspaceCleaned { branch_deleted: true, warnings });
        }
    }
}
