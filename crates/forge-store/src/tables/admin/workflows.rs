//! Workflow definitions: immutable, identified by their hash (F-1).

use forge_domain::workflow::WorkflowHash;

use crate::db::Db;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tx::Tx;

/// Stores a definition; an existing one stays unchanged.
pub async fn put(tx: &mut Tx, hash: &WorkflowHash, definition: &str) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO workflows (hash, definition) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING",
    );
    tx.execute(insert.bind(hash).bind(definition)).await?;
    Ok(())
}

/// The JSON of a definition.
pub async fn load(db: &Db, hash: &WorkflowHash) -> Result<Option<String>, StoreError> {
    db.fetch_optional(select(hash)).await?.map(|row| row.get("definition")).transpose()
}

/// The JSON of a definition, read inside the transaction.
pub async fn load_in(tx: &mut Tx, hash: &WorkflowHash) -> Result<Option<String>, StoreError> {
    tx.fetch_optional(select(hash)).await?.map(|row| row.get("definition")).transpose()
}

fn select(hash: &WorkflowHash) -> SqlStatement {
    stmt("SELECT definition FROM workflows WHERE hash = $1").bind(hash)
}
