//! Waits for the result that a response promises. The work itself is a durable effect, so a client that disconnects
//! changes nothing.

use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::workspace::view::workspace_summary::WorkspaceViews;
use forge_domain::task::{TaskActivity, TaskSnapshot};
use forge_domain::{Effect, ExecutionId, TaskId, WorkspaceType};
use forge_store::{Db, WakeChannel, tables};

/// The progress of a claim.
#[derive(Debug)]
pub enum ClaimProgress {
    /// The workspace is ready, or cannot be made; the task says which.
    Ready(Box<TaskSnapshot>),
    /// The claim holds, but its workspace waits for something.
    Waiting(Box<TaskSnapshot>),
}

/// Waits for the work that a response promises.
#[derive(Debug, Clone)]
pub struct TaskProgress {
    pub(crate) db: Db,
    pub(crate) records: RecordReader,
    pub(crate) views: WorkspaceViews,
}

impl TaskProgress {
    /// Waits until the engine has no short-lived work left for the task.
    pub async fn wait_until_settled(&self, task: TaskId) -> Result<TaskSnapshot, EngineError> {
        self.wait_until(task, |snapshot| !snapshot.is_settling()).await
    }

    /// Waits until the workspace of this execution is ready or has failed. Returns at once if that waits for something
    /// long: a full disk, or another task in the project's directory.
    pub async fn wait_for_claim(
        &self,
        task: TaskId,
        execution: ExecutionId,
    ) -> Result<ClaimProgress, EngineError> {
        let mut events = self.db.subscribe(WakeChannel::Events);
        let mut effects = self.db.subscribe(WakeChannel::Effects);
        let preparing = Some(TaskActivity::Preparing { execution });
        loop {
            let snapshot = self.records.task(task).await?;
            if snapshot.activity != preparing {
                return Ok(ClaimProgress::Ready(Box::new(snapshot)));
            }
            if self.is_claim_delayed(&snapshot, execution).await? {
                return Ok(ClaimProgress::Waiting(Box::new(snapshot)));
            }
            let wake = tokio::select! {
                wake = events.next() => wake,
                wake = effects.next() => wake,
            };
            if wake.is_none() {
                return Ok(ClaimProgress::Waiting(Box::new(snapshot)));
            }
        }
    }

    /// Whether creating the workspace failed more than once, or waits for a directory that another execution holds.
    async fn is_claim_delayed(
        &self,
        task: &TaskSnapshot,
        execution: ExecutionId,
    ) -> Result<bool, EngineError> {
        let rows = tables::effects::list_of_task(&self.db, task.id).await?;
        let makes = |effect: &Effect| {
            matches!(effect, Effect::PrepareWorkspace { .. } | Effect::SetUpWorkspace { .. })
        };
        let Some(row) = rows.into_iter().find(|row| row.open && makes(&row.effect)) else {
            return Ok(false);
        };
        let waits = row.failures == 0 && row.last_error.is_some();
        if waits || row.failures > 1 {
            return Ok(true);
        }
        let shares = self.records.project(task.project_id).await?.workspace_type
            == WorkspaceType::PersistentDirectory;
        let Some(workspace) = task.workspace.as_ref().filter(|_| shares) else { return Ok(false) };
        let holder = self.views.workspace_holder(workspace);
        Ok(holder.is_some_and(|(holder, _)| holder.execution != execution.to_string()))
    }

    /// Waits until `condition` holds for the task.
    pub async fn wait_until(
        &self,
        task: TaskId,
        condition: impl Fn(&TaskSnapshot) -> bool,
    ) -> Result<TaskSnapshot, EngineError> {
        let mut wakes = self.db.subscribe(WakeChannel::Events);
        loop {
            let Some(snapshot) = tables::tasks::load(&self.db, task).await? else {
                return Err(EngineError::NotFound { noun: "task", id: task.to_string() });
            };
            if condition(&snapshot) {
                return Ok(snapshot);
            }
            let project = snapshot.project_id.to_string();
            loop {
                match wakes.next().await {
                    None => return Ok(snapshot),
                    Some(wake) if wake.about.as_deref().is_none_or(|about| about == project) => {
                        break;
                    }
                    Some(_) => {}
                }
            }
        }
    }
}
