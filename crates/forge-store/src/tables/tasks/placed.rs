//! Tasks by what is on disk (W-10).

use forge_domain::TaskId;
use forge_domain::task::Snapshot;
use forge_domain::workflow::Standing;

use super::store;
use crate::db::Db;
use crate::errors::StoreError;
use crate::statement::stmt;
use crate::tables::column::word;

const BATCH: i64 = 500;

/// The tasks whose workspace is in this place: one, or all of a project that works in one directory.
pub async fn of_workspace(db: &Db, path: &str) -> Result<Vec<Snapshot>, StoreError> {
    let select = stmt("SELECT snapshot FROM tasks WHERE workspace = $1 ORDER BY id").bind(path);
    db.fetch_all(select).await?.iter().map(store::read).collect()
}

/// The tasks that have ended and whose workspace is still there, by its path.
pub async fn ended_with_workspace(db: &Db) -> Result<Vec<Snapshot>, StoreError> {
    let mut found: Vec<Snapshot> = Vec::new();
    let mut after: (String, Option<TaskId>) = (String::new(), None);
    loop {
        let select = stmt(
            "SELECT snapshot FROM tasks
             WHERE workspace IS NOT NULL AND standing IN ($1, $2) AND (workspace, id) > ($3, $4)
             ORDER BY workspace, id LIMIT $5",
        )
        .bind(word(Standing::Succeeded)?)
        .bind(word(Standing::Ended)?)
        .bind(&after.0)
        .bind(after.1.map(|id| id.to_string()).unwrap_or_default())
        .bind(BATCH);
        let rows = db.fetch_all(select).await?;
        let batch = rows.iter().map(store::read).collect::<Result<Vec<Snapshot>, _>>()?;
        let Some(last) = batch.last() else { return Ok(found) };
        let path = last.workspace.as_ref().map(|workspace| workspace.path.clone());
        after = (path.unwrap_or_default(), Some(last.id));
        found.extend(batch);
    }
}
