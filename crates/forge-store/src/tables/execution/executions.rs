//! Executions of agents and people. The projection writes the rows from events.

use forge_domain::task::{ExecutionOverrides, ExecutionPurpose, TaskExecution};
use forge_domain::workflow::RoleName;
use forge_domain::{
    AgentId, ExecutionEnding, ExecutionId, ExecutionResult, ProcessRecord, ProjectId, TaskId,
    Timestamp, UserId,
};
use serde::{Deserialize, Serialize};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::{json, word};
use crate::tables::execution::usage;
use crate::tables::execution::usage::stored_count;
use crate::tables::execution::{agent_waits, execution_tokens};
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// One execution of one agent or person on one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionRow {
    pub id: ExecutionId,
    pub task_id: TaskId,
    /// The task's project.
    pub project_id: ProjectId,
    pub role: RoleName,
    /// The agent, if an agent works.
    pub agent_id: Option<AgentId>,
    /// The person, if a person works.
    pub user_id: Option<UserId>,
    pub purpose: ExecutionPurpose,
    pub status: ExecutionRowStatus,
    /// Result of the execution; `None` while it is open.
    pub outcome: Option<ExecutionResult>,
    /// The process, if Forge started one.
    pub process: Option<ProcessRecord>,
    /// The agent program's id of the conversation (E-7).
    pub session: Option<String>,
    /// What its claim changes about the agent's settings (T-3).
    pub overrides: Option<ExecutionOverrides>,
    pub created_at: Timestamp,
    /// When the agent or person began.
    pub started_at: Option<Timestamp>,
    pub finished_at: Option<Timestamp>,
}

/// Status of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionRowStatus {
    /// Opened; nothing is running yet.
    Pending,
    /// The agent or person works.
    Running,
    Finished,
}

/// Loads one execution.
pub async fn load(db: &Db, id: ExecutionId) -> Result<Option<ExecutionRow>, StoreError> {
    let select = stmt("SELECT * FROM executions WHERE id = $1").bind(id);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// A task's executions, oldest first.
pub async fn list_of_task(db: &Db, task: TaskId) -> Result<Vec<ExecutionRow>, StoreError> {
    let select = stmt("SELECT * FROM executions WHERE task_id = $1 ORDER BY created_at, id");
    let rows = db.fetch_all(select.bind(task)).await?;
    rows.iter().map(read).collect()
}

/// All open executions.
pub async fn list_open(db: &Db) -> Result<Vec<ExecutionRow>, StoreError> {
    let select = stmt("SELECT * FROM executions WHERE open ORDER BY created_at, id");
    db.fetch_all(select).await?.iter().map(read).collect()
}

pub(crate) async fn record_opened(
    tx: &mut Tx,
    task: TaskId,
    project: ProjectId,
    run: &TaskExecution,
    at: Timestamp,
) -> Result<(), StoreError> {
    let overrides = Some(&*run.overrides).filter(|overrides| !overrides.is_empty());
    let insert = stmt(
        "INSERT INTO executions (id, task_id, project_id, role, agent_id, user_id, purpose, status, open, created_at, overrides)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, TRUE, $9, $10)",
    )
    .bind(run.execution)
    .bind(task)
    .bind(project)
    .bind(&run.role)
    .bind(run.assignee.agent())
    .bind(run.assignee.user())
    .bind(word(run.purpose)?)
    .bind(word(ExecutionRowStatus::Pending)?)
    .bind(at)
    .bind(overrides.map(json).transpose()?);
    tx.execute(insert).await?;
    Ok(())
}

pub(crate) async fn record_started(
    tx: &mut Tx,
    id: ExecutionId,
    process: Option<&ProcessRecord>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let update =
        stmt("UPDATE executions SET status = $2, process = $3, started_at = $4 WHERE id = $1")
            .bind(id)
            .bind(word(ExecutionRowStatus::Running)?)
            .bind(process.map(json).transpose()?)
            .bind(at);
    tx.execute(update).await?;
    Ok(())
}

pub(crate) async fn record_finished(
    tx: &mut Tx,
    id: ExecutionId,
    result: &ExecutionResult,
    at: Timestamp,
) -> Result<(), StoreError> {
    let used = result.told.usage;
    let update = stmt(
        "UPDATE executions SET status = $2, outcome = $3, finished_at = $4, open = FALSE, session = $5,
                               input_tokens = $6, cached_tokens = $7, output_tokens = $8, cost_micro_usd = $9
         WHERE id = $1",
    )
    .bind(id)
    .bind(word(ExecutionRowStatus::Finished)?)
    .bind(json(result)?)
    .bind(at)
    .bind(result.told.session.as_deref())
    .bind(used.map(|usage| stored_count(usage.input_tokens)))
    .bind(used.map(|usage| stored_count(usage.cached_tokens)))
    .bind(used.map(|usage| stored_count(usage.output_tokens)))
    .bind(used.and_then(|usage| usage.cost_micro_usd).map(stored_count));
    tx.execute(update).await?;
    execution_tokens::delete(tx, id).await?;
    let select = stmt("SELECT agent_id, task_id, project_id FROM executions WHERE id = $1");
    let Some(row) = tx.fetch_optional(select.bind(id)).await? else { return Ok(()) };
    let agent = row.maybe_parse("agent_id")?;
    if let Some(used) = used {
        usage::add(tx, row.parse("task_id")?, agent, row.parse("project_id")?, used).await?;
    }
    if let Some(agent) = agent {
        match result.told.unavailability() {
            Some(failure) => agent_waits::begin_wait(tx, agent, failure, at).await?,
            None if result.ending == (ExecutionEnding::Exited { code: 0 }) => {
                agent_waits::end_wait(tx, agent).await?;
            }
            None => {}
        }
    }
    tx.wake(WakeChannel::Dispatch, "");
    Ok(())
}

fn read(row: &DbRow) -> Result<ExecutionRow, StoreError> {
    Ok(ExecutionRow {
        id: row.parse("id")?,
        task_id: row.parse("task_id")?,
        project_id: row.parse("project_id")?,
        role: RoleName::new(row.get::<String>("role")?),
        agent_id: row.maybe_parse("agent_id")?,
        user_id: row.maybe_parse("user_id")?,
        purpose: row.word("purpose")?,
        status: row.word("status")?,
        outcome: row.maybe_json("outcome")?,
        process: row.maybe_json("process")?,
        session: row.get("session")?,
        overrides: row.maybe_json("overrides")?,
        created_at: row.at("created_at")?,
        started_at: row.maybe_at("started_at")?,
        finished_at: row.maybe_at("finished_at")?,
    })
}
