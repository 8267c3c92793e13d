//! Dispatches an effect row to the code that performs it.

use crate::command::commit::EffectLease;
use crate::effects::{EffectError, EffectOutcome};
use crate::engine::Engine;
use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::{Effect, EffectReport, TaskId};
use forge_proc::ProcessMark;
use forge_store::tables::projects::ProjectRow;
use forge_store::tables::{self, effects::EffectRow};
use serde::de::DeserializeOwned;
use std::time::Duration;
use uuid::Uuid;

/// Time between SIGTERM and SIGKILL.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// An effect in progress: the task and project as loaded at its start, and the lease.
#[derive(Debug)]
pub(crate) struct EffectRun<'a> {
    pub(crate) engine: &'a Engine,
    pub(crate) row: &'a EffectRow,
    pub(crate) lease: EffectLease,
    pub(crate) task: TaskSnapshot,
    /// The task that owns the workspace: the parent for an ordered turn (T-17).
    pub(crate) workspace_owner: TaskId,
    pub(crate) project: ProjectRow,
}

impl Engine {
    pub(crate) async fn perform(
        &self,
        row: &EffectRow,
        claimed: EffectLease,
    ) -> Result<EffectOutcome, EffectError> {
        let (mut task, project) =
            tokio::try_join!(self.task(row.task_id), self.project(row.project_id))?;
        let place = self.load_parent_workspace(&mut task).await?;
        let step =
            EffectRun { engine: self, row, lease: claimed, task, workspace_owner: place, project };
        if let Some(place) = self.load_plain_directory(&step.project)? {
            return Box::pin(step.perform_plain(&place)).await;
        }
        match &row.effect {
            Effect::PrepareWorkspace { execution } => step.prepare_workspace(*execution).await,
            Effect::SetUpWorkspace { execution } => step.set_up_workspace(*execution).await,
            Effect::RunExecution { execution } => Box::pin(step.run_execution(*execution)).await,
            Effect::AwaitQuota { .. } | Effect::AwaitBudget => {
                Ok(EffectOutcome::Report(EffectReport::RunDue))
            }
            Effect::DeliverSteer { execution } => step.deliver_steer(*execution).await,
            Effect::TellParent { ended } => step.tell_parent(*ended).await,
            Effect::BeginTurn { turn } => step.begin_turn(*turn).await,
            Effect::EndTurns => step.end_turns().await,
            Effect::Stop { mark } => step.stop_processes(*mark).await,
            Effect::RunChecks { review } => step.run_checks(*review).await,
            Effect::Land { visit } => step.land(*visit).await,
            Effect::CleanWorkspace { retire_branch } => step.clean_workspace(*retire_branch).await,
            Effect::Rebase { visit, message } => {
                Box::pin(step.rebase(*visit, message.as_deref())).await
            }
            Effect::Revert { commit } => Box::pin(step.revert(commit)).await,
            Effect::VerifyLanding { commit } => Box::pin(step.verify_landing(commit)).await,
            Effect::ResetWorktree => step.reset_worktree().await,
            Effect::ResetWorkspace => step.reset_workspace().await,
        }
    }
}

impl EffectRun<'_> {
    /// The journal entry that an earlier attempt of this effect wrote.
    pub(crate) fn journalled<T: DeserializeOwned>(&self) -> Option<T> {
        self.row.journal.as_deref().and_then(|text| serde_json::from_str(text).ok())
    }

    /// Passes a named fault point.
    pub(crate) async fn pass_fault_point(&self, point: &'static str) -> Result<(), EffectError> {
        Ok(self.engine.0.faults.reach(point).await?)
    }

    /// Loads the task again.
    pub(crate) async fn reload(&self) -> Result<TaskSnapshot, EffectError> {
        Ok(self.engine.task(self.row.task_id).await?)
    }

    /// Ends processes that an earlier attempt of this effect may have left.
    pub(crate) async fn end_leftovers(&self, mark: Uuid) -> Result<(), EffectError> {
        if self.row.attempts > 1 {
            forge_proc::end_marked_processes(&process_mark(mark)?, GRACE).await?;
        }
        Ok(())
    }
}

/// The process mark of an execution or review.
pub(crate) fn process_mark(id: Uuid) -> Result<ProcessMark, EffectError> {
    ProcessMark::new(id.to_string()).map_err(|error| EffectError::Transient(error.to_string()))
}

/// Loads the agent of the current execution.
pub(crate) async fn load_agent(
    step: &EffectRun<'_>,
) -> Result<tables::agents::AgentRow, EffectError> {
    let id = step.task.run.as_ref().and_then(|run| run.assignee.agent());
    let agent = match id {
        Some(id) => tables::agents::load(step.engine.db(), id).await?,
        None => None,
    };
    agent.ok_or_else(|| {
        EffectError::for_person(
            AnnotationType::ExecutionFailed,
            "the agent is not registered any more; assign another",
        )
    })
}
