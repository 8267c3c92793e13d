//! Forge processes.

use forge_domain::Timestamp;

use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;

/// One Forge process on one machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its identity, kept in its data directory.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// When it last started.
    pub registered_at: Timestamp,
    /// When it was last heard of.
    pub beat_at: Timestamp,
}

/// Notes that a node has started, for the first time or again.
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

/// Notes that a node lives. False if it was never registered.
pub async fn beat(tx: &mut Tx, node: &str, now: Timestamp) -> Result<bool, StoreError> {
    let update = stmt("UPDATE nodes SET beat_at = $2 WHERE id = $1");
    Ok(tx.execute(update.bind(node).bind(now)).await? == 1)
}

/// Every node that was ever registered, by name.
pub async fn list(db: &Db) -> Result<Vec<Node>, StoreError> {
    let rows = db.fetch_all(stmt("SELECT * FROM nodes ORDER BY name, id")).await?;
    rows.iter().map(read).collect()
}

fn read(row: &DbRow) -> Result<Node, StoreError> {
    Ok(Node {
        id: row.get("id")?,
        name: row.get("name")?,
        registered_at: row.at("registered_at")?,
        beat_at: row.at("beat_at")?,
    })
}
