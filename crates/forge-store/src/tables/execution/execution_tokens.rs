//! Tokens of executions (E-3). Only hashes are stored.

use forge_domain::workflow::RoleName;
use forge_domain::{AgentId, ExecutionId, ProjectId, TaskId};

use crate::db::Db;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tx::Tx;

/// The execution that a token belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExecutionTokenOwner {
    pub execution_id: ExecutionId,
    /// Its task, to which the token gives access.
    pub task_id: TaskId,
    /// The task's project.
    pub project_id: ProjectId,
    pub agent_id: AgentId,
    /// Whether its role is that of planners, whose tokens give access to the subtasks as well.
    pub is_planner: bool,
}

/// Stores the token of an execution, in place of any earlier one.
pub async fn put(tx: &mut Tx, execution: ExecutionId, hash: &str) -> Result<(), StoreError> {
    let upsert = stmt(
        "INSERT INTO execution_tokens (execution_id, hash) VALUES ($1, $2)
         ON CONFLICT (execution_id) DO UPDATE SET hash = excluded.hash",
    );
    tx.execute(upsert.bind(execution).bind(hash)).await?;
    Ok(())
}

/// Deletes the token of an execution that has ended.
pub(crate) async fn delete(tx: &mut Tx, execution: ExecutionId) -> Result<(), StoreError> {
    let delete = stmt("DELETE FROM execution_tokens WHERE execution_id = $1").bind(execution);
    tx.execute(delete).await?;
    Ok(())
}

/// The owner of the token with this hash; `None` once the execution has ended.
pub async fn by_hash(db: &Db, hash: &str) -> Result<Option<ExecutionTokenOwner>, StoreError> {
    let select = stmt(
        "SELECT executions.id, executions.task_id, executions.project_id, executions.agent_id,
                executions.role
         FROM execution_tokens JOIN executions ON executions.id = execution_tokens.execution_id
         WHERE execution_tokens.hash = $1 AND executions.open AND executions.agent_id IS NOT NULL",
    );
    let row = db.fetch_optional(select.bind(hash)).await?;
    row.map(|row| {
        Ok(ExecutionTokenOwner {
            execution_id: row.parse("id")?,
            task_id: row.parse("task_id")?,
            project_id: row.parse("project_id")?,
            agent_id: row.parse("agent_id")?,
            is_planner: RoleName::new(row.get::<String>("role")?).is_planner(),
        })
    })
    .transpose()
}
