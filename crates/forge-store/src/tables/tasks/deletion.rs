//! Deletes a task with all its rows, and reads what its deletion depends on (P-1).

use forge_domain::task::{TaskKey, TaskSnapshot};
use forge_domain::{DeletionFacts, TaskId};

use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tx::Tx;

/// How many tasks a refusal names.
const NAMED: u32 = 10;

/// Rows that belong to one task alone.
const OWN_ROWS: &[&str] = &[
    "DELETE FROM task_labels WHERE task_id = $1",
    "DELETE FROM task_dependencies WHERE task_id = $1",
    "DELETE FROM waiting_tasks WHERE task_id = $1",
    "DELETE FROM needs_person WHERE task_id = $1",
    "DELETE FROM comments WHERE task_id = $1",
    "DELETE FROM transitions WHERE task_id = $1",
    "DELETE FROM effects WHERE task_id = $1",
    "DELETE FROM port_leases WHERE task_id = $1",
    "DELETE FROM usage_sums WHERE scope = 'task' AND id = $1",
    "DELETE FROM tasks WHERE id = $1",
];

/// What the deletion of a locked task depends on.
pub async fn deletion_facts(tx: &mut Tx, id: TaskId) -> Result<DeletionFacts, StoreError> {
    let counts = stmt(
        "SELECT (SELECT COUNT(*) FROM executions WHERE task_id = $1)
                + (SELECT COUNT(*) FROM reviews WHERE task_id = $1) AS executions,
                (SELECT COUNT(*) FROM effects WHERE task_id = $1 AND open) AS open_effects",
    );
    let row = tx.fetch_one(counts.bind(id)).await?;
    let count = |name| Ok::<_, StoreError>(row.get::<i64>(name)?.try_into().unwrap_or_default());
    let (executions, open_effects) = (count("executions")?, count("open_effects")?);
    let dependents = stmt(
        "SELECT tasks.number FROM task_dependencies JOIN tasks ON tasks.id = task_dependencies.task_id
         WHERE task_dependencies.depends_on_id = $1 ORDER BY tasks.number LIMIT $2",
    );
    let subtasks = stmt("SELECT number FROM tasks WHERE parent_id = $1 ORDER BY number LIMIT $2");
    Ok(DeletionFacts {
        executions,
        open_effects,
        dependents: keys(&tx.fetch_all(dependents.bind(id).bind(NAMED)).await?)?,
        subtasks: keys(&tx.fetch_all(subtasks.bind(id).bind(NAMED)).await?)?,
    })
}

/// Deletes a task; its events stay. The caller has checked that nothing refers to it.
pub async fn delete(tx: &mut Tx, task: &TaskSnapshot) -> Result<(), StoreError> {
    let search = stmt(tx.dialect().search_delete());
    tx.execute(search.bind(task.project_id).bind(task.number)).await?;
    for text in OWN_ROWS {
        tx.execute(stmt(text).bind(task.id)).await?;
    }
    Ok(())
}

fn keys(rows: &[DbRow]) -> Result<Vec<TaskKey>, StoreError> {
    rows.iter().map(|row| row.get("number").map(TaskKey)).collect()
}
