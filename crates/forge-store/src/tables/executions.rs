//! Runs of agents and people. Rows are written from events by [`super::projection`].

use forge_domain::task::{Purpose, Run};
use forge_domain::workflow::RoleName;
use forge_domain::{
    AgentId, Ending, ExecutionId, ProcessRecord, ProjectId, RunResult, TaskId, Timestamp, UserId,
};
use serde::{Deserialize, Serialize};

use super::column::{json, word};
use super::usage::{self, counted};
use super::{execution_tokens, quota};
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;
use crate::wake::Channel;

/// One run of one agent or person on one task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Execution {
    /// Its identity.
    pub id: ExecutionId,
    /// The task.
    pub task_id: TaskId,
    /// The task's project.
    pub project_id: ProjectId,
    /// In which role.
    pub role: RoleName,
    /// The agent, if one works.
    pub agent_id: Option<AgentId>,
    /// The person, if one works.
    pub user_id: Option<UserId>,
    /// What for.
    pub purpose: Purpose,
    /// How far it is.
    pub status: ExecutionStatus,
    /// How it ended; none while it is open.
    pub outcome: Option<RunResult>,
    /// Its process, if Forge started one.
    pub process: Option<ProcessRecord>,
    /// The program's own name for its conversation (E-7).
    pub session: Option<String>,
    /// When it was opened.
    pub created_at: Timestamp,
    /// When the agent or person began.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// How far an execution is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExecutionStatus {
    /// Opened; nothing runs yet.
    Pending,
    /// The agent or person works.
    Running,
    /// Over.
    Finished,
}

/// One execution.
pub async fn load(db: &Db, id: ExecutionId) -> Result<Option<Execution>, StoreError> {
    let select = stmt("SELECT * FROM executions WHERE id = $1").bind(id);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// A task's executions, oldest first.
pub async fn list_of_task(db: &Db, task: TaskId) -> Result<Vec<Execution>, StoreError> {
    let select = stmt("SELECT * FROM executions WHERE task_id = $1 ORDER BY created_at, id");
    let rows = db.fetch_all(select.bind(task)).await?;
    rows.iter().map(read).collect()
}

/// Every execution that is not over.
pub async fn list_open(db: &Db) -> Result<Vec<Execution>, StoreError> {
    let select = stmt("SELECT * FROM executions WHERE open ORDER BY created_at, id");
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// The open executions of tasks for which this node holds a lease.
pub async fn open_of_node(db: &Db, node: &str) -> Result<Vec<Execution>, StoreError> {
    let select = stmt(
        "SELECT * FROM executions WHERE open AND task_id IN (
             SELECT task_id FROM effects WHERE open AND lease_node = $1
         ) ORDER BY created_at, id",
    );
    let rows = db.fetch_all(select.bind(node)).await?;
    rows.iter().map(read).collect()
}

pub(super) async fn opened(
    tx: &mut Tx,
    task: TaskId,
    project: ProjectId,
    run: &Run,
    at: Timestamp,
) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO executions (id, task_id, project_id, role, agent_id, user_id, purpose, status, open, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, TRUE, $9)",
    )
    .bind(run.execution)
    .bind(task)
    .bind(project)
    .bind(&run.role)
    .bind(run.assignee.agent())
    .bind(run.assignee.user())
    .bind(word(run.purpose)?)
    .bind(word(ExecutionStatus::Pending)?)
    .bind(at);
    tx.execute(insert).await?;
    Ok(())
}

pub(super) async fn started(
    tx: &mut Tx,
    id: ExecutionId,
    process: Option<&ProcessRecord>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let update =
        stmt("UPDATE executions SET status = $2, process = $3, started_at = $4 WHERE id = $1")
            .bind(id)
            .bind(word(ExecutionStatus::Running)?)
            .bind(process.map(json).transpose()?)
            .bind(at);
    tx.execute(update).await?;
    Ok(())
}

pub(super) async fn finished(
    tx: &mut Tx,
    id: ExecutionId,
    result: &RunResult,
    at: Timestamp,
) -> Result<(), StoreError> {
    let used = result.told.usage;
    let update = stmt(
        "UPDATE executions SET status = $2, outcome = $3, finished_at = $4, open = FALSE, session = $5,
                               input_tokens = $6, cached_tokens = $7, output_tokens = $8, cost_micro_usd = $9
         WHERE id = $1",
    )
    .bind(id)
    .bind(word(ExecutionStatus::Finished)?)
    .bind(json(result)?)
    .bind(at)
    .bind(result.told.session.as_deref())
    .bind(used.map(|usage| counted(usage.input_tokens)))
    .bind(used.map(|usage| counted(usage.cached_tokens)))
    .bind(used.map(|usage| counted(usage.output_tokens)))
    .bind(used.and_then(|usage| usage.cost_micro_usd).map(counted));
    tx.execute(update).await?;
    execution_tokens::forget(tx, id).await?;
    let select = stmt("SELECT agent_id, task_id, project_id FROM executions WHERE id = $1");
    let Some(row) = tx.fetch_optional(select.bind(id)).await? else { return Ok(()) };
    let agent = row.maybe_parse("agent_id")?;
    if let Some(used) = used {
        usage::add(tx, row.parse("task_id")?, agent, row.parse("project_id")?, used).await?;
    }
    if let Some(agent) = agent {
        match result.told.quota() {
            Some(failure) => quota::begin(tx, agent, failure.back_at(at)).await?,
            None if result.ending == (Ending::Exited { code: 0 }) => {
                quota::end(tx, agent).await?;
            }
            None => {}
        }
    }
    tx.wake(Channel::Dispatch, "");
    Ok(())
}

fn read(row: &DbRow) -> Result<Execution, StoreError> {
    Ok(Execution {
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
        created_at: row.at("created_at")?,
        started_at: row.maybe_at("started_at")?,
        finished_at: row.maybe_at("finished_at")?,
    })
}
