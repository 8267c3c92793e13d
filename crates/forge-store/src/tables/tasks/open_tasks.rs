//! The open tasks of a workflow in batches, because a board may have more than fit in memory.

use std::collections::BTreeMap;

use forge_domain::ProjectId;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{StateName, TaskStanding, WorkflowHash};

use crate::dialect::RowLock;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::column::word;
use crate::tables::tasks::store;
use crate::tx::Tx;

const BATCH: i64 = 500;

/// Number of open tasks of a workflow in each state, including archived ones (F-5). The tasks are locked until the
/// transaction ends.
pub async fn lock_open(
    tx: &mut Tx,
    project: ProjectId,
    workflow: &WorkflowHash,
) -> Result<BTreeMap<StateName, u64>, StoreError> {
    let text = "SELECT number, state FROM tasks
         WHERE project_id = $1 AND workflow = $2 AND standing IN ($3, $4) AND number > $5 ORDER BY number LIMIT $6";
    let (mut held, mut last) = (BTreeMap::new(), 0);
    loop {
        let select = bind(stmt(text), project, workflow, last)?.lock_rows(RowLock::Update);
        let rows = tx.fetch_all(select).await?;
        let Some(end) = rows.last() else {
            return Ok(held);
        };
        last = end.get("number")?;
        for row in &rows {
            *held.entry(StateName::new(row.get::<String>("state")?)).or_default() += 1;
        }
    }
}

/// The next open tasks of a workflow after a task number, in order; empty when there are no more.
pub async fn open_after(
    tx: &mut Tx,
    project: ProjectId,
    workflow: &WorkflowHash,
    number: i64,
) -> Result<Vec<TaskSnapshot>, StoreError> {
    let text = "SELECT snapshot FROM tasks
         WHERE project_id = $1 AND workflow = $2 AND standing IN ($3, $4) AND number > $5 ORDER BY number LIMIT $6";
    let rows = tx.fetch_all(bind(stmt(text), project, workflow, number)?).await?;
    rows.iter().map(store::read).collect()
}

fn bind(
    statement: SqlStatement,
    project: ProjectId,
    workflow: &WorkflowHash,
    number: i64,
) -> Result<SqlStatement, StoreError> {
    Ok(statement
        .bind(project)
        .bind(workflow)
        .bind(word(TaskStanding::Open)?)
        .bind(word(TaskStanding::Submitted)?)
        .bind(number)
        .bind(BATCH))
}
