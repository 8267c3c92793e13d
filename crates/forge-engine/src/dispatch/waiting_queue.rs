//! The queue of waiting tasks, updated in the transaction that changes a task.

use crate::command::errors::EngineError;
use crate::dispatch::dispatch_round::Dispatch;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{RoleName, TaskStanding, Workflow};
use forge_domain::{RecordedEvent, TaskEvent, TaskId};
use forge_store::{StoreError, Tx, tables};

const BATCH: u32 = 200;

/// Adds a task to the queue or removes it, and releases tasks that waited for it. The project's counter is locked.
pub(crate) async fn update_waiting_queue(
    tx: &mut Tx,
    workflow: &Workflow,
    task: &TaskSnapshot,
    events: &[RecordedEvent],
) -> Result<(), StoreError> {
    let moved = events.iter().any(|recorded| {
        matches!(recorded.event, TaskEvent::TaskTransitioned { .. } | TaskEvent::TaskAdopted { .. })
    });
    if task.claimable || moved {
        tables::waiting_tasks::put(tx, task, claim_role(workflow, task).as_ref()).await?;
    }
    if moved && task.standing == TaskStanding::Succeeded {
        tables::waiting_tasks::release_dependents(tx, task.id).await?;
    }
    if moved && matches!(task.standing, TaskStanding::Succeeded | TaskStanding::Ended) {
        tables::effects::hasten_dependent_landings(tx, task.id, task.updated_at).await?;
    }
    Ok(())
}

/// The role that an agent's claim of the task gives.
pub(crate) fn claim_role(workflow: &Workflow, task: &TaskSnapshot) -> Option<RoleName> {
    let state = workflow.state(&task.state)?;
    // An ordered turn is started by its parent.
    if task.turn().is_some() {
        return None;
    }
    workflow.claim_path(state, false).map(|path| path.role)
}

impl Dispatch {
    /// Queues tasks from before the queue existed.
    pub(crate) async fn queue_unknown_tasks(&self) -> Result<(), EngineError> {
        loop {
            let unknown = tables::waiting_tasks::list_unknown(&self.db, BATCH).await?;
            if unknown.is_empty() {
                return Ok(());
            }
            for task in unknown {
                self.queue_unknown_task(task).await?;
            }
        }
    }

    async fn queue_unknown_task(&self, task: TaskId) -> Result<(), EngineError> {
        let inner = self.clone();
        self.db
            .write(move |tx| {
                let inner = inner.clone();
                Box::pin(async move {
                    let Some(task) = tables::tasks::lock(tx, task).await? else { return Ok(()) };
                    let workflow = inner.records.workflows.load_in(tx, &task.workflow).await?;
                    tables::counters::advance_events(tx, task.project_id, 0).await?;
                    let role = claim_role(&workflow, &task);
                    tables::waiting_tasks::put(tx, &task, role.as_ref()).await?;
                    Ok::<_, EngineError>(())
                })
            })
            .await
    }
}
