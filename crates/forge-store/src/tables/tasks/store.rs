//! Writes and reads single tasks.

use std::collections::HashMap;

use forge_domain::task::TaskSnapshot;
use forge_domain::{ProjectId, TaskId};

use crate::db::Db;
use crate::dialect::RowLock;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::query_builder::QueryBuilder;
use crate::tables::tasks::related::RelatedRows;
use crate::tables::tasks::row;
use crate::tx::Tx;

pub(crate) const CLAIMABLE: &str = "SELECT snapshot FROM tasks WHERE project_id = $1 AND claimable ORDER BY urgency, number LIMIT $2";

/// Number of ids in one statement; SQLite accepts 32,766 values.
const BATCH: usize = 1000;

/// Inserts a new task.
pub async fn insert(tx: &mut Tx, task: &TaskSnapshot) -> Result<(), StoreError> {
    let related = RelatedRows::of(task)?;
    tx.execute(row::insert(task, &related)?).await?;
    related.insert(tx).await
}

/// Inserts or updates a task with all derived rows.
pub async fn put(tx: &mut Tx, task: &TaskSnapshot) -> Result<(), StoreError> {
    let related = RelatedRows::of(task)?;
    let written = tx.fetch_one(row::put(task, &related)?).await?;
    if written.get("related_stale")? {
        related.replace(tx).await?;
    }
    Ok(())
}

/// Loads one task.
pub async fn load(db: &Db, id: TaskId) -> Result<Option<TaskSnapshot>, StoreError> {
    db.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// Loads one task, read inside the transaction.
pub async fn load_in(tx: &mut Tx, id: TaskId) -> Result<Option<TaskSnapshot>, StoreError> {
    tx.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// Loads one task and locks it until the transaction ends.
pub async fn lock(tx: &mut Tx, id: TaskId) -> Result<Option<TaskSnapshot>, StoreError> {
    tx.fetch_optional(select(id).lock_rows(RowLock::Update)).await?.as_ref().map(read).transpose()
}

/// The existing tasks among these ids, in the order of their ids.
pub async fn load_many(db: &Db, ids: &[TaskId]) -> Result<Vec<TaskSnapshot>, StoreError> {
    let mut tasks = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let rows = db.fetch_all(select_many(batch)).await?;
        tasks.extend(rows.iter().map(read).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(tasks)
}

/// Same, read inside the transaction.
pub async fn load_many_in(tx: &mut Tx, ids: &[TaskId]) -> Result<Vec<TaskSnapshot>, StoreError> {
    let mut tasks = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let rows = tx.fetch_all(select_many(batch)).await?;
        tasks.extend(rows.iter().map(read).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(tasks)
}

/// Priorities of the existing tasks among these ids, without reading the rest.
pub async fn priorities(db: &Db, ids: &[TaskId]) -> Result<HashMap<TaskId, i32>, StoreError> {
    let mut priorities = HashMap::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let mut select = QueryBuilder::new("SELECT id, urgency FROM tasks WHERE id IN ");
        select.value_group(true, batch.iter().map(|id| (*id).into()));
        for row in db.fetch_all(select.into_stmt()).await? {
            let urgency: i64 = row.get("urgency")?;
            // The column is written from an i32, so it fits.
            priorities.insert(row.parse("id")?, i32::try_from(-urgency).unwrap_or_default());
        }
    }
    Ok(priorities)
}

/// The task with this number on the board.
pub async fn by_number(
    db: &Db,
    project: ProjectId,
    number: i64,
) -> Result<Option<TaskSnapshot>, StoreError> {
    let select = stmt("SELECT snapshot FROM tasks WHERE project_id = $1 AND number = $2");
    db.fetch_optional(select.bind(project).bind(number)).await?.as_ref().map(read).transpose()
}

/// Claimable tasks, the highest priority first and then the oldest (E-10).
pub async fn claimable(
    db: &Db,
    project: ProjectId,
    limit: u32,
) -> Result<Vec<TaskSnapshot>, StoreError> {
    let select = stmt(CLAIMABLE).bind(project).bind(limit);
    db.fetch_all(select).await?.iter().map(read).collect()
}

fn select(id: TaskId) -> SqlStatement {
    stmt("SELECT snapshot FROM tasks WHERE id = $1").bind(id)
}

fn select_many(ids: &[TaskId]) -> SqlStatement {
    let mut select = QueryBuilder::new("SELECT snapshot FROM tasks WHERE id IN ");
    select.value_group(true, ids.iter().map(|id| (*id).into()));
    select.text(" ORDER BY id");
    select.into_stmt()
}

pub(crate) fn read(row: &DbRow) -> Result<TaskSnapshot, StoreError> {
    row.json("snapshot")
}
