//! A project's budget (E-8).

use forge_domain::{Budget, ProjectId, Timestamp};
use forge_store::{StoreError, Tx, tables};

/// Stores the budget, and wakes executions that wait for it.
pub(crate) async fn put_budget(
    tx: &mut Tx,
    project: ProjectId,
    budget: &Budget,
    now: Timestamp,
) -> Result<(), StoreError> {
    if tables::budgets::load_in(tx, project).await? != *budget {
        tables::budgets::put(tx, project, budget).await?;
        tables::effects::hasten_budget(tx, project, now).await?;
    }
    Ok(())
}
