//! Counters per project: task numbers, and event sequence numbers.
//!
//! The row is locked until the transaction ends, so sequence numbers become visible in order and without gaps.
//! Therefore no transaction may wait for anything but the database.

use forge_domain::ProjectId;

use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tx::Tx;

/// Project id of events that belong to no project, such as those of agents and users.
pub const NO_PROJECT: ProjectId = ProjectId::new(uuid::Uuid::nil());

/// The first numbers that [`advance`] reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReservedNumbers {
    /// The first task number.
    pub first_number: i64,
    /// The first event sequence number.
    pub first_seq: i64,
}

/// Reserves task numbers and event sequence numbers at once. [`StoreError::NoRow`] if the project does not exist.
pub async fn advance(
    tx: &mut Tx,
    project: ProjectId,
    tasks: i64,
    events: i64,
) -> Result<ReservedNumbers, StoreError> {
    let update = stmt(
        "UPDATE project_counters SET task_number = task_number + $2, event_seq = event_seq + $3
         WHERE project_id = $1 RETURNING task_number, event_seq",
    );
    let row = tx.fetch_one(update.bind(project).bind(tasks).bind(events)).await?;
    Ok(ReservedNumbers {
        first_number: row.get::<i64>("task_number")? - tasks + 1,
        first_seq: row.get::<i64>("event_seq")? - events + 1,
    })
}

/// Reserves the next task number of the project.
pub async fn next_task_number(tx: &mut Tx, project: ProjectId) -> Result<i64, StoreError> {
    Ok(advance(tx, project, 1, 0).await?.first_number)
}

/// Reserves `n` event sequence numbers and returns the first.
pub async fn advance_events(tx: &mut Tx, project: ProjectId, n: i64) -> Result<i64, StoreError> {
    Ok(advance(tx, project, 0, n).await?.first_seq)
}

pub(crate) async fn insert(tx: &mut Tx, project: ProjectId) -> Result<(), StoreError> {
    let insert =
        stmt("INSERT INTO project_counters (project_id, event_seq, task_number) VALUES ($1, 0, 0)");
    tx.execute(insert.bind(project)).await?;
    Ok(())
}

/// Locks the project's counters until the transaction ends.
pub(crate) async fn lock(tx: &mut Tx, project: ProjectId) -> Result<(), StoreError> {
    let select = stmt("SELECT event_seq FROM project_counters WHERE project_id = $1");
    tx.fetch_optional(select.bind(project).lock_rows(crate::dialect::RowLock::Update)).await?;
    Ok(())
}
