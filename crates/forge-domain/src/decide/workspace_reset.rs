//! Replaces a task's workspace (W-9), and handles a lost one (W-8).

use crate::decide::decision_builder::DecisionBuilder;
use crate::task::{AnnotationType, TaskActivity, Workspace, WorkspaceStatus};
use crate::workflow::{StateBehaviour, TaskStanding};
use crate::{Effect, Refusal, TaskEvent};

impl DecisionBuilder<'_> {
    /// Discards the workspace and creates a new one. The task returns to the queue.
    pub(crate) fn reset_workspace(&mut self) -> Result<(), Refusal> {
        self.check_reset()?;
        if let Some(review) = self.task.review {
            self.abandon_review(review);
        }
        if self.task.review_passed_at.is_some() {
            self.emit(TaskEvent::TaskUnpassed);
        }
        let queued = matches!(self.state()?.behaviour, StateBehaviour::Queue { .. });
        if let (false, Some(pool)) = (queued, self.workflow.claim_queue()) {
            self.enter_state(&pool, false, Some("workspace reset"))?;
        }
        self.emit(TaskEvent::WorkspaceCleaning);
        self.plan_effect(Effect::ResetWorkspace);
        Ok(())
    }

    /// Checks that the workspace can be discarded now.
    pub(crate) fn check_reset(&self) -> Result<(), Refusal> {
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
        self.check_workspace_idle()
    }

    /// Removes the worktree before its scheduled time, or while the task continues; then the next claim creates it
    /// again.
    pub(crate) fn clean_workspace(&mut self) -> Result<(), Refusal> {
        if !self.is_directed_by_actor() {
            return Err(Refusal::PeopleOnly("remove a workspace"));
        }
        let there = self.task.workspace.as_ref();
        if there.is_none_or(|found| found.status == WorkspaceStatus::Cleaned) {
            return Err(Refusal::WorkspaceMissing { key: self.task.key() });
        }
        self.check_workspace_idle()?;
        self.check_no_turn_open()?;
        // A removal that was scheduled for later is no longer needed.
        self.supersede_pending();
        self.emit(TaskEvent::WorkspaceCleaning);
        self.plan_effect(Effect::CleanWorkspace {
            retire_branch: self.task.standing == TaskStanding::Succeeded,
        });
        Ok(())
    }

    pub(crate) fn check_workspace_idle(&self) -> Result<(), Refusal> {
        let run = self.task.run.as_ref();
        let holder = match self.task.activity {
            Some(TaskActivity::Checking { review }) => Some(format!("review {review}")),
            Some(TaskActivity::Landing) => Some("its landing".to_owned()),
            Some(TaskActivity::Stopping { .. }) => {
                Some("an execution that is being stopped".to_owned())
            }
            Some(TaskActivity::EndingTurns) => Some("a turn that is being ended".to_owned()),
            Some(TaskActivity::Rebasing) => Some("the merge of its target".to_owned()),
            Some(TaskActivity::Reverting) => Some("the creation of its revert".to_owned()),
            Some(
                TaskActivity::Preparing { .. }
                | TaskActivity::Running { .. }
                | TaskActivity::Cleaning,
            )
            | None => self.turn_at_work().map(|turn| turn.key.clone()),
        };
        let holder = holder
            .or_else(|| run.map(|run| format!("{} in execution {}", run.role, run.execution)));
        match holder {
            Some(holder) => Err(Refusal::WorkspaceLocked { key: self.task.key(), holder }),
            None => Ok(()),
        }
    }

    /// The old workspace was saved and removed, and the new one is ready (W-9).
    pub(crate) fn workspace_renewed(
        &mut self,
        workspace: &Workspace,
        warnings: &[String],
    ) -> Result<(), Refusal> {
        self.emit(TaskEvent::WorkspaceCleaned {
            branch_deleted: true,
            warnings: warnings.to_vec(),
        });
        if self.task.annotation.is_some() {
            self.emit(TaskEvent::TaskAnnotated { annotation: None });
        }
        self.emit(TaskEvent::WorkspaceReset);
        self.emit(TaskEvent::WorkspaceCreated { workspace: workspace.clone() });
        let waits = matches!(
            self.state()?.behaviour,
            StateBehaviour::Hold { .. } | StateBehaviour::Terminal { .. }
        );
        if waits && self.task.activity.is_none() {
            // The task was parked or cancelled meanwhile: the cleanup policy of its state applies.
            return self.start_state_work();
        }
        Ok(())
    }

    /// Discards the record of a workspace whose directory and branch are gone (W-8).
    pub(crate) fn discard_lost_workspace(&mut self, trouble: AnnotationType, message: &str) {
        if trouble == AnnotationType::WorkspaceResetRequired && self.task.workspace.is_some() {
            let warnings = vec![message.to_owned()];
            self.emit(TaskEvent::WorkspaceCleaned { branch_deleted: true, warnings });
        }
    }
}
