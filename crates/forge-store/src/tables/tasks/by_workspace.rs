//! Tasks by their workspace on disk (W-10).

use forge_domain::TaskId;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::TaskStanding;

use crate::db::Db;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::word;
use crate::tables::tasks::store;

const BATCH: i64 = 500;

/// The tasks whose workspace is at this path: one, or all of a project that shares a directory.
pub async fn list_at_path(db: &Db, path: &str) -> Result<Vec<TaskSnapshot>, StoreError> {
    let select = stmt("SELECT snapshot FROM tasks WHERE workspace = $1 ORDER BY id").bind(path);
    db.fetch_all(select).await?.iter().map(store::read).collect()
}

/// Ended tasks whose workspace still exists, by its path.
pub async fn ended_with_workspace(db: &Db) -> Result<Vec<TaskSnapshot>, StoreError> {
    let mut found: Vec<TaskSnapshot> = Vec::new();
    let mut after: (String, Option<TaskId>) = (String::new(), None);
    loop {
        let select = stmt(
            "SELECT snapshot FROM tasks
             WHERE workspace IS NOT NULL AND standing IN ($1, $2) AND (workspace, id) > ($3, $4)
             ORDER BY workspace, id LIMIT $5",
        )
        .bind(word(TaskStanding::Succeeded)?)
        .bind(word(TaskStanding::Ended)?)
        .bind(&after.0)
        .bind(after.1.map(|id| id.to_string()).unwrap_or_default())
        .bind(BATCH);
        let rows = db.fetch_all(select).await?;
        let batch = rows.iter().map(store::read).collect::<Result<Vec<TaskSnapshot>, _>>()?;
        let Some(last) = batch.last() else { return Ok(found) };
        let path = last.workspace.as_ref().map(|workspace| workspace.path.clone());
        after = (path.unwrap_or_default(), Some(last.id));
        found.extend(batch);
    }
}
