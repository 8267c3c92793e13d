//! What the programs of executions prove themselves with (E-3). Only hashes are kept.

use forge_domain::{AgentId, ExecutionId, ProjectId, TaskId};

use crate::db::Db;
use crate::errors::StoreError;
use crate::statement::stmt;
use crate::tx::Tx;

/// Whom an execution's token stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bearer {
    /// The execution.
    pub execution_id: ExecutionId,
    /// Its task: nothing else is open to it.
    pub task_id: TaskId,
    /// The task's project.
    pub project_id: ProjectId,
    /// Its agent.
    pub agent_id: AgentId,
}

/// Gives an execution a token, in the place of any before.
pub async fn put(tx: &mut Tx, execution: ExecutionId, hash: &str) -> Result<(), StoreError> {
    let upsert = stmt(
        "INSERT INTO execution_tokens (execution_id, hash) VALUES ($1, $2)
         ON CONFLICT (execution_id) DO UPDATE SET hash = excluded.hash",
    );
    tx.execute(upsert.bind(execution).bind(hash)).await?;
    Ok(())
}

/// Forgets the token of an execution that is over.
pub(super) async fn forget(tx: &mut Tx, execution: ExecutionId) -> Result<(), StoreError> {
    let delete = stmt("DELETE FROM execution_tokens WHERE execution_id = $1").bind(execution);
    tx.execute(delete).await?;
    Ok(())
}

/// Whom the token with this hash stands for; nobody once the execution is over.
pub async fn by_hash(db: &Db, hash: &str) -> Result<Option<Bearer>, StoreError> {
    let select = stmt(
        "SELECT executions.id, executions.task_id, executions.project_id, executions.agent_id
         FROM execution_tokens JOIN executions ON executions.id = execution_tokens.execution_id
         WHERE execution_tokens.hash = $1 AND executions.open AND executions.agent_id IS NOT NULL",
    );
    let row = db.fetch_optional(select.bind(hash)).await?;
    row.map(|row| {
        Ok(Bearer {
            execution_id: row.parse("id")?,
            task_id: row.parse("task_id")?,
            project_id: row.parse("project_id")?,
            agent_id: row.parse("agent_id")?,
        })
    })
    .transpose()
}
