//! From an effect row to what carries it out.

use super::{Failure, Outcome};
use crate::commit::Claimed;
use crate::engine::Engine;
use forge_domain::task::{AnnotationType, Snapshot};
use forge_domain::{Effect, Report, TaskId};
use forge_proc::Mark;
use forge_store::tables::projects::Project;
use forge_store::tables::{self, effects::EffectRow};
use serde::de::DeserializeOwned;
use std::time::Duration;
use uuid::Uuid;

/// How long a process has between being asked and being made to end.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// A step that is being carried out: the task and its project as they were when it began, and the lease that allows it.
#[derive(Debug)]
pub(super) struct Step<'a> {
    pub(super) engine: &'a Engine,
    pub(super) row: &'a EffectRow,
    pub(super) claimed: Claimed,
    pub(super) task: Snapshot,
    /// The task whose workspace it is about: another one's for a turn (T-17).
    pub(super) place: TaskId,
    pub(super) project: Project,
}

impl Engine {
    pub(crate) async fn perform(
        &self,
        row: &EffectRow,
        claimed: Claimed,
    ) -> Result<Outcome, Failure> {
        let (mut task, project) =
            tokio::try_join!(self.task(row.task_id), self.project(row.project_id))?;
        let place = self.lend_place(&mut task).await?;
        let step = Step { engine: self, row, claimed, task, place, project };
        if let Some(place) = self.directory_of(&step.project)? {
            return Box::pin(step.perform_plain(&place)).await;
        }
        match &row.effect {
            Effect::PrepareWorkspace { execution } => step.prepare_workspace(*execution).await,
            Effect::SetUpWorkspace { execution } => step.set_up_workspace(*execution).await,
            Effect::RunTurn { execution } => Box::pin(step.run_turn(*execution)).await,
            Effect::AwaitQuota { .. } | Effect::AwaitBudget => Ok(Outcome::Report(Report::RunDue)),
            Effect::DeliverSteer { execution } => step.deliver_steer(*execution).await,
            Effect::TellParent { ended } => step.tell_parent(*ended).await,
            Effect::BeginTurn { turn } => step.begin_turn(*turn).await,
            Effect::EndTurns => step.end_turns().await,
            Effect::Stop { mark } => step.stop(*mark).await,
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

impl Step<'_> {
    /// What an earlier holder of this step wrote down before it acted.
    pub(super) fn journalled<T: DeserializeOwned>(&self) -> Option<T> {
        self.row.journal.as_deref().and_then(|text| serde_json::from_str(text).ok())
    }

    /// Comes to a named point.
    pub(super) async fn reach(&self, point: &'static str) -> Result<(), Failure> {
        Ok(self.engine.0.faults.reach(point).await?)
    }

    /// The task as it is now.
    pub(super) async fn reload(&self) -> Result<Snapshot, Failure> {
        Ok(self.engine.task(self.row.task_id).await?)
    }

    /// Ends what an earlier holder of this step may have left running.
    pub(super) async fn end_leftovers(&self, mark: Uuid) -> Result<(), Failure> {
        if self.row.attempts > 1 {
            forge_proc::end_marked(&mark_of(mark)?, GRACE).await?;
        }
        Ok(())
    }
}

/// The process mark of an execution or review.
pub(crate) fn mark_of(id: Uuid) -> Result<Mark, Failure> {
    Mark::new(id.to_string()).map_err(|error| Failure::Passing(error.to_string()))
}

/// The agent that is to run, as configured.
pub(super) async fn agent_of(step: &Step<'_>) -> Result<tables::agents::Agent, Failure> {
    let id = step.task.run.as_ref().and_then(|run| run.assignee.agent());
    let agent = match id {
        Some(id) => tables::agents::load(step.engine.db(), id).await?,
        None => None,
    };
    agent.ok_or_else(|| {
        Failure::of(
            AnnotationType::ExecutionFailed,
            "the agent is not registered any more; assign another",
        )
    })
}
