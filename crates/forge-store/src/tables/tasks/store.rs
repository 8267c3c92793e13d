//! Writing and reading single tasks.

use std::collections::HashMap;

use forge_domain::task::Snapshot;
use forge_domain::{ProjectId, TaskId};

use super::related::Related;
use super::row;
use crate::db::Db;
use crate::dialect::RowLock;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::{Stmt, stmt};
use crate::tables::assembly::Assembly;
use crate::tx::Tx;

pub(crate) const CLAIMABLE: &str = "SELECT snapshot FROM tasks WHERE project_id = $1 AND claimable ORDER BY urgency, number LIMIT $2";

/// How many ids one statement names; SQLite takes 32,766 values.
const BATCH: usize = 1000;

/// Writes a task that is new.
pub async fn insert(tx: &mut Tx, task: &Snapshot) -> Result<(), StoreError> {
    let related = Related::of(task)?;
    tx.execute(row::insert(task, &related)?).await?;
    related.insert(tx).await
}

/// Writes a task, new or not, with all that is derived from it.
pub async fn put(tx: &mut Tx, task: &Snapshot) -> Result<(), StoreError> {
    let related = Related::of(task)?;
    let written = tx.fetch_one(row::put(task, &related)?).await?;
    if written.get("related_stale")? {
        related.replace(tx).await?;
    }
    Ok(())
}

/// One task.
pub async fn load(db: &Db, id: TaskId) -> Result<Option<Snapshot>, StoreError> {
    db.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// One task, as the transaction sees it.
pub async fn load_in(tx: &mut Tx, id: TaskId) -> Result<Option<Snapshot>, StoreError> {
    tx.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// One task that nobody else can change until the transaction ends.
pub async fn lock(tx: &mut Tx, id: TaskId) -> Result<Option<Snapshot>, StoreError> {
    tx.fetch_optional(select(id).lock_rows(RowLock::Update)).await?.as_ref().map(read).transpose()
}

/// The tasks among these ids that exist, in the order of their ids.
pub async fn load_many(db: &Db, ids: &[TaskId]) -> Result<Vec<Snapshot>, StoreError> {
    let mut tasks = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let rows = db.fetch_all(select_many(batch)?).await?;
        tasks.extend(rows.iter().map(read).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(tasks)
}

/// The same, as the transaction sees it.
pub async fn load_many_in(tx: &mut Tx, ids: &[TaskId]) -> Result<Vec<Snapshot>, StoreError> {
    let mut tasks = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let rows = tx.fetch_all(select_many(batch)?).await?;
        tasks.extend(rows.iter().map(read).collect::<Result<Vec<_>, _>>()?);
    }
    Ok(tasks)
}

/// The priorities of the tasks among these that exist: all that a line is sorted by, without reading the rest.
pub async fn priorities(db: &Db, ids: &[TaskId]) -> Result<HashMap<TaskId, i32>, StoreError> {
    let mut priorities = HashMap::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let mut select = Assembly::new("SELECT id, urgency FROM tasks WHERE id IN ");
        select.group(true, batch.iter().map(|id| (*id).into()));
        for row in db.fetch_all(select.into_stmt()?).await? {
            let urgency: i64 = row.get("urgency")?;
            // The column is made of an i32, so it fits.
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
) -> Result<Option<Snapshot>, StoreError> {
    let select = stmt("SELECT snapshot FROM tasks WHERE project_id = $1 AND number = $2");
    db.fetch_optional(select.bind(project).bind(number)).await?.as_ref().map(read).transpose()
}

/// What claims look at, the highest priority first and then the oldest (E-10).
pub async fn claimable(
    db: &Db,
    project: ProjectId,
    limit: u32,
) -> Result<Vec<Snapshot>, StoreError> {
    let select = stmt(CLAIMABLE).bind(project).bind(limit);
    db.fetch_all(select).await?.iter().map(read).collect()
}

fn select(id: TaskId) -> Stmt {
    stmt("SELECT snapshot FROM tasks WHERE id = $1").bind(id)
}

fn select_many(ids: &[TaskId]) -> Result<Stmt, StoreError> {
    let mut select = Assembly::new("SELECT snapshot FROM tasks WHERE id IN ");
    select.group(true, ids.iter().map(|id| (*id).into()));
    select.text(" ORDER BY id");
    select.into_stmt()
}

pub(super) fn read(row: &DbRow) -> Result<Snapshot, StoreError> {
    row.json("snapshot")
}
