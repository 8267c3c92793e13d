//! Where a task stands among those that wait, kept in the transaction that changes it.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::task::Snapshot;
use forge_domain::workflow::{RoleName, Standing, Workflow};
use forge_domain::{Event, Recorded, TaskId};
use forge_store::{StoreError, Tx, tables};

const BATCH: u32 = 200;

/// Lines a task up, or takes it out of the line; lets those go on that waited for it. The project's counter is held.
pub(crate) async fn line_up(
    tx: &mut Tx,
    workflow: &Workflow,
    task: &Snapshot,
    events: &[Recorded],
) -> Result<(), StoreError> {
    let moved = events.iter().any(|recorded| {
        matches!(recorded.event, Event::TaskTransitioned { .. } | Event::TaskAdopted { .. })
    });
    if task.claimable || moved {
        tables::waiting::put(tx, task, claim_role(workflow, task).as_ref()).await?;
    }
    if moved && task.standing == Standing::Succeeded {
        tables::waiting::release_dependents(tx, task.id).await?;
    }
    Ok(())
}

/// The role that a claim of the task by an agent gives.
pub(super) fn claim_role(workflow: &Workflow, task: &Snapshot) -> Option<RoleName> {
    let state = workflow.state(&task.state)?;
    // A turn is begun by its parent.
    if task.turn().is_some() {
        return None;
    }
    workflow.claim_path(state, false).map(|path| path.role)
}

impl Engine {
    /// Lines up what was there before there was a line.
    pub(crate) async fn line_up_unknown(&self) -> Result<(), EngineError> {
        loop {
            let unknown = tables::waiting::unknown(&self.0.db, BATCH).await?;
            if unknown.is_empty() {
                return Ok(());
            }
            for task in unknown {
                self.line_up_one(task).await?;
            }
        }
    }

    async fn line_up_one(&self, task: TaskId) -> Result<(), EngineError> {
        let inner = self.0.clone();
        self.0
            .db
            .write(move |tx| {
                let inner = inner.clone();
                Box::pin(async move {
                    let Some(task) = tables::tasks::lock(tx, task).await? else { return Ok(()) };
                    let workflow = inner.workflows.load_in(tx, &task.workflow).await?;
                    tables::counters::advance_events(tx, task.project_id, 0).await?;
                    let role = claim_role(&workflow, &task);
                    tables::waiting::put(tx, &task, role.as_ref()).await?;
                    Ok::<_, EngineError>(())
                })
            })
            .await
    }
}
