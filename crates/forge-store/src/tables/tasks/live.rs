//! The tasks of a workflow that have not ended, batch by batch: a board may have more than fit in memory.

use std::collections::BTreeMap;

use forge_domain::ProjectId;
use forge_domain::task::Snapshot;
use forge_domain::workflow::{Standing, StateName, WorkflowHash};

use super::store;
use crate::dialect::RowLock;
use crate::errors::StoreError;
use crate::statement::{Stmt, stmt};
use crate::tables::column::word;
use crate::tx::Tx;

const BATCH: i64 = 500;

/// How many live tasks of a workflow each of its states holds, archived ones included (F-5). Nobody else can change
/// one of these tasks until the transaction ends.
pub async fn lock_live(
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

/// The next live tasks of a workflow after a number, in the order of their numbers; none when there are no more.
pub async fn live_after(
    tx: &mut Tx,
    project: ProjectId,
    workflow: &WorkflowHash,
    number: i64,
) -> Result<Vec<Snapshot>, StoreError> {
    let text = "SELECT snapshot FROM tasks
         WHERE project_id = $1 AND workflow = $2 AND standing IN ($3, $4) AND number > $5 ORDER BY number LIMIT $6";
    let rows = tx.fetch_all(bind(stmt(text), project, workflow, number)?).await?;
    rows.iter().map(store::read).collect()
}

fn bind(
    statement: Stmt,
    project: ProjectId,
    workflow: &WorkflowHash,
    number: i64,
) -> Result<Stmt, StoreError> {
    Ok(statement
        .bind(project)
        .bind(workflow)
        .bind(word(Standing::Open)?)
        .bind(word(Standing::Submitted)?)
        .bind(number)
        .bind(BATCH))
}
