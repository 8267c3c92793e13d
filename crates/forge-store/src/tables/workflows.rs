//! Workflow definitions: immutable, known by their hash (F-1).

use forge_domain::workflow::WorkflowHash;

use crate::db::Db;
use crate::errors::StoreError;
use crate::statement::{Stmt, stmt};
use crate::tx::Tx;

/// Keeps a definition; one that is known already stays as it is.
pub async fn put(tx: &mut Tx, hash: &WorkflowHash, definition: &str) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO workflows (hash, definition) VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING",
    );
    tx.execute(insert.bind(hash).bind(definition)).await?;
    Ok(())
}

/// A definition's JSON.
pub async fn load(db: &Db, hash: &WorkflowHash) -> Result<Option<String>, StoreError> {
    db.fetch_optional(select(hash)).await?.map(|row| row.get("definition")).transpose()
}

/// A definition's JSON, as the transaction sees it.
pub async fn load_in(tx: &mut Tx, hash: &WorkflowHash) -> Result<Option<String>, StoreError> {
    tx.fetch_optional(select(hash)).await?.map(|row| row.get("definition")).transpose()
}

fn select(hash: &WorkflowHash) -> Stmt {
    stmt("SELECT definition FROM workflows WHERE hash = $1").bind(hash)
}
