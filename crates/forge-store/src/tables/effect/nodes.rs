//! Nodes: Forge processes.

use forge_domain::Timestamp;

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tx::Tx;

/// One Forge process on one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRow {
    /// Its id, stored in its data directory.
    pub id: String,
    /// Name for users.
    pub name: String,
    /// When it last started.
    pub registered_at: Timestamp,
    /// Time of its last heartbeat.
    pub heartbeat_at: Timestamp,
}

/// Records the start of a node.
pub async fn register(
    tx: &mut Tx,
    node: &str,
    name: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO nodes (id, name, registered_at, beat_at) VALUES ($1, $2, $3, $3)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, registered_at = excluded.registered_at,
                                        beat_at = excluded.beat_at",
    );
    tx.execute(insert.bind(node).bind(name).bind(now)).await?;
    Ok(())
}

/// Records a heartbeat. Returns false if the node was never registered.
pub async fn record_heartbeat(tx: &mut Tx, node: &str, now: Timestamp) -> Result<bool, StoreError> {
    let update = stmt("UPDATE nodes SET beat_at = $2 WHERE id = $1");
    Ok(tx.execute(update.bind(node).bind(now)).await? == 1)
}

/// All registered nodes, by name.
pub async fn list(db: &Db) -> Result<Vec<NodeRow>, StoreError> {
    let rows = db.fetch_all(stmt("SELECT * FROM nodes ORDER BY name, id")).await?;
    rows.iter().map(read).collect()
}

fn read(row: &DbRow) -> Result<NodeRow, StoreError> {
    Ok(NodeRow {
        id: row.get("id")?,
        name: row.get("name")?,
        registered_at: row.at("registered_at")?,
        heartbeat_at: row.at("beat_at")?,
    })
}
