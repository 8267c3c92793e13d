//! A project's budget (E-8).

use crate::command::errors::EngineError;
use forge_domain::{Budget, ProjectId, Timestamp};
use forge_store::{StoreError, Tx, tables};

/// Reads the budget from a project's settings; refuses one that permits no execution.
pub(crate) fn budget_of(settings: &serde_json::Value) -> Result<Budget, EngineError> {
    let invalid = |problem: String| EngineError::InvalidField { field: "settings.budget", problem };
    let said: Budget = match settings.get("budget") {
        None | Some(serde_json::Value::Null) => Budget::default(),
        Some(said) => {
            serde_json::from_value(said.clone()).map_err(|error| invalid(error.to_string()))?
        }
    };
    match said.problem() {
        Some(problem) => Err(invalid(problem.to_owned())),
        None => Ok(said),
    }
}

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
