//! The branches of all tasks of a project.

use forge_domain::task::TaskSnapshot;
use forge_domain::{ProjectId, TaskId};

use crate::db::Db;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::tasks::store;

const BATCH: i64 = 1000;

/// Every task of a project that has or had a workspace, with its branch; the branch is empty for a plain directory.
/// Reads all tasks, in batches.
pub async fn branches_of_project(
    db: &Db,
    project: ProjectId,
) -> Result<Vec<(TaskId, String)>, StoreError> {
    let text = "SELECT number, snapshot FROM tasks WHERE project_id = $1 AND number > $2 ORDER BY number LIMIT $3";
    let (mut branches, mut last) = (Vec::new(), 0_i64);
    loop {
        let rows = db.fetch_all(stmt(text).bind(project).bind(last).bind(BATCH)).await?;
        let Some(end) = rows.last() else { return Ok(branches) };
        last = end.get("number")?;
        for row in &rows {
            let task: TaskSnapshot = store::read(row)?;
            branches.extend(task.workspace.map(|workspace| (task.id, workspace.branch)));
        }
    }
}
