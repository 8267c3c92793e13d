//! The table of project budgets (E-8).

use forge_domain::{Budget, ProjectId};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// Stores the budget from the project's settings.
pub async fn put(tx: &mut Tx, project: ProjectId, budget: &Budget) -> Result<(), StoreError> {
    if budget.is_unlimited() {
        tx.execute(stmt("DELETE FROM project_budgets WHERE project_id = $1").bind(project)).await?;
    } else {
        let count = |limit: u64| i64::try_from(limit).unwrap_or(i64::MAX);
        let upsert = stmt(
            "INSERT INTO project_budgets (project_id, cost_micro_usd, tokens) VALUES ($1, $2, $3)
             ON CONFLICT (project_id) DO UPDATE SET
                cost_micro_usd = excluded.cost_micro_usd, tokens = excluded.tokens",
        );
        let upsert = upsert.bind(project).bind(budget.cost_micro_usd.map(count));
        tx.execute(upsert.bind(budget.tokens.map(count))).await?;
    }
    tx.wake(WakeChannel::Dispatch, "");
    Ok(())
}

/// A project's budget; without limits if none is stored.
pub async fn load(db: &Db, project: ProjectId) -> Result<Budget, StoreError> {
    let row = db.fetch_optional(select(project)).await?;
    Ok(row.as_ref().map(read).transpose()?.unwrap_or_default())
}

/// Same, read inside the transaction.
pub async fn load_in(tx: &mut Tx, project: ProjectId) -> Result<Budget, StoreError> {
    let row = tx.fetch_optional(select(project)).await?;
    Ok(row.as_ref().map(read).transpose()?.unwrap_or_default())
}

/// Projects whose budget is used up.
pub async fn list_exhausted(db: &Db) -> Result<Vec<ProjectId>, StoreError> {
    let select = stmt(
        "SELECT project_budgets.project_id AS project_id
         FROM project_budgets JOIN usage_sums ON usage_sums.scope = 'project'
              AND usage_sums.id = project_budgets.project_id
              AND usage_sums.project_id = project_budgets.project_id
         WHERE usage_sums.cost_micro_usd >= project_budgets.cost_micro_usd
            OR usage_sums.input_tokens + usage_sums.output_tokens >= project_budgets.tokens",
    );
    db.fetch_all(select).await?.iter().map(|row| row.parse("project_id")).collect()
}

fn select(project: ProjectId) -> SqlStatement {
    stmt("SELECT * FROM project_budgets WHERE project_id = $1").bind(project)
}

fn read(row: &DbRow) -> Result<Budget, StoreError> {
    let limit = |column| {
        let limit = row.get::<Option<i64>>(column)?;
        Ok::<_, StoreError>(limit.map(|limit| u64::try_from(limit).unwrap_or(0)))
    };
    Ok(Budget { cost_micro_usd: limit("cost_micro_usd")?, tokens: limit("tokens")? })
}
