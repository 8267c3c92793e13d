//! Ports of tasks (W-13): each belongs to one task, from its setup until its workspace is removed.

use forge_domain::{TaskId, Timestamp};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tx::Tx;

/// One port of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PortLease {
    /// The n of `FORGE_PORT_n`.
    pub slot: u32,
    pub port: u16,
}

/// Leases a port to a task, unless another task has the port or the task has one in this slot. Returns whether it did.
pub async fn take(
    tx: &mut Tx,
    task: TaskId,
    lease: PortLease,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let insert = stmt(
        "INSERT INTO port_leases (port, task_id, slot, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING",
    )
    .bind(i64::from(lease.port))
    .bind(task)
    .bind(i64::from(lease.slot))
    .bind(now);
    Ok(tx.execute(insert).await? == 1)
}

/// Releases a task's ports of `from_slot` and above; 0 releases all. Returns how many.
pub async fn release(tx: &mut Tx, task: TaskId, from_slot: u32) -> Result<u64, StoreError> {
    let delete = stmt("DELETE FROM port_leases WHERE task_id = $1 AND slot >= $2");
    tx.execute(delete.bind(task).bind(i64::from(from_slot))).await
}

/// A task's ports, by slot.
pub async fn of_task(db: &Db, task: TaskId) -> Result<Vec<PortLease>, StoreError> {
    db.fetch_all(select_of_task(task)).await?.iter().map(read).collect()
}

/// Same, read inside the transaction.
pub async fn of_task_in(tx: &mut Tx, task: TaskId) -> Result<Vec<PortLease>, StoreError> {
    tx.fetch_all(select_of_task(task)).await?.iter().map(read).collect()
}

/// All leased ports, in order.
pub async fn all(db: &Db) -> Result<Vec<u16>, StoreError> {
    let rows = db.fetch_all(stmt("SELECT slot, port FROM port_leases ORDER BY port")).await?;
    rows.iter().map(|row| read(row).map(|lease| lease.port)).collect()
}

fn select_of_task(task: TaskId) -> SqlStatement {
    stmt("SELECT slot, port FROM port_leases WHERE task_id = $1 ORDER BY slot").bind(task)
}

fn read(row: &DbRow) -> Result<PortLease, StoreError> {
    Ok(PortLease { slot: row.count("slot")?, port: row.count("port")? })
}
