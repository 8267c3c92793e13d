//! The one place that appends events: with the decision of a task, or with another change in its transaction.

use forge_domain::{Actor, ProjectId, RecordedEvent, TaskId};
use forge_store::tables::counters::ReservedNumbers;
use forge_store::tables::events::{self, NewEvent};
use forge_store::{StoreError, Tx};

/// Appends events of projects, repositories, agents and trains. Returns the sequence number of the last one.
pub(crate) async fn append_events(
    tx: &mut Tx,
    stream: ProjectId,
    actor: &Actor,
    events: &[NewEvent],
) -> Result<i64, StoreError> {
    events::append(tx, stream, actor, None, events).await
}

/// Appends the events of a task's decision.
pub(crate) async fn append_task_events(
    tx: &mut Tx,
    project: ProjectId,
    task: TaskId,
    actor: &Actor,
    recorded: &[RecordedEvent],
) -> Result<(), StoreError> {
    let events = new_events(recorded)?;
    events::append(tx, project, actor, Some(task), &events).await?;
    Ok(())
}

/// Appends the events of a new task at the sequence numbers that were reserved together with its task number.
pub(crate) async fn append_first_events(
    tx: &mut Tx,
    project: ProjectId,
    task: TaskId,
    reserved: &ReservedNumbers,
    actor: &Actor,
    recorded: &[RecordedEvent],
) -> Result<(), StoreError> {
    let events = new_events(recorded)?;
    events::append_at(tx, project, reserved.first_seq, actor, Some(task), &events).await?;
    Ok(())
}

fn new_events(recorded: &[RecordedEvent]) -> Result<Vec<NewEvent>, StoreError> {
    recorded.iter().map(NewEvent::of_task).collect()
}
