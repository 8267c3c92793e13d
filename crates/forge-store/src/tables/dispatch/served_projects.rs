//! Data for dispatch: the load of agents, the projects with dispatch switched on, and the global pause (E-10).

use forge_domain::{AgentId, ProjectId, Timestamp};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::history::counters;
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// A project with dispatch switched on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServedProject {
    pub project_id: ProjectId,
    /// Maximum number of agent executions at the same time.
    pub max_concurrent: Option<u32>,
    /// Time at which one of its tasks was last assigned to an agent.
    pub served_at: Option<Timestamp>,
}

/// Number of executions that an agent has under way in a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentLoad {
    pub agent_id: AgentId,
    pub project_id: ProjectId,
    pub running: u32,
}

const PAUSED: &str = "dispatch_paused_at";

pub(crate) const SERVED: &str = "SELECT served_projects.*,
        (SELECT MAX(executions.created_at) FROM executions
         WHERE executions.project_id = projects.id AND executions.agent_id IS NOT NULL) AS served_at
    FROM served_projects JOIN projects ON projects.id = served_projects.project_id
    WHERE projects.paused_at IS NULL";

pub(crate) const LOADS: &str =
    "SELECT agent_id, project_id, COUNT(*) AS running FROM executions WHERE open AND agent_id IS NOT NULL
     GROUP BY agent_id, project_id";

/// Switches dispatch on for a project, or changes its limit. `hold` makes tasks wait whose branches conflict with a
/// started task's.
pub async fn enable_project(
    tx: &mut Tx,
    project: ProjectId,
    max: Option<u32>,
    hold: bool,
) -> Result<(), StoreError> {
    let upsert = stmt(
        "INSERT INTO served_projects (project_id, max_concurrent, hold_conflicts) VALUES ($1, $2, $3)
         ON CONFLICT (project_id) DO UPDATE SET
            max_concurrent = excluded.max_concurrent, hold_conflicts = excluded.hold_conflicts",
    );
    tx.execute(upsert.bind(project).bind(max.map(i64::from)).bind(hold)).await?;
    tx.wake(WakeChannel::Dispatch, "");
    Ok(())
}

/// Switches dispatch off for a project.
pub async fn disable_project(tx: &mut Tx, project: ProjectId) -> Result<(), StoreError> {
    tx.execute(stmt("DELETE FROM served_projects WHERE project_id = $1").bind(project)).await?;
    Ok(())
}

/// The project's limit of agent executions inside the transaction; the outer `None` means that dispatch is off.
pub async fn load_limit_in(
    tx: &mut Tx,
    project: ProjectId,
) -> Result<Option<Option<u32>>, StoreError> {
    let select = stmt("SELECT * FROM served_projects WHERE project_id = $1").bind(project);
    tx.fetch_optional(select).await?.as_ref().map(most).transpose()
}

/// Same, outside of a transaction.
pub async fn load_limit(db: &Db, project: ProjectId) -> Result<Option<Option<u32>>, StoreError> {
    let select = stmt("SELECT * FROM served_projects WHERE project_id = $1").bind(project);
    db.fetch_optional(select).await?.as_ref().map(most).transpose()
}

/// Projects with dispatch switched on that are not paused.
pub async fn enabled_projects(db: &Db) -> Result<Vec<ServedProject>, StoreError> {
    let read = |row: &DbRow| {
        Ok(ServedProject {
            project_id: row.parse("project_id")?,
            max_concurrent: most(row)?,
            served_at: row.maybe_at("served_at")?,
        })
    };
    db.fetch_all(stmt(SERVED)).await?.iter().map(read).collect()
}

/// The load of each agent in each project.
pub async fn agent_loads(db: &Db) -> Result<Vec<AgentLoad>, StoreError> {
    let read = |row: &DbRow| {
        Ok(AgentLoad {
            agent_id: row.parse("agent_id")?,
            project_id: row.parse("project_id")?,
            running: row.count("running")?,
        })
    };
    db.fetch_all(stmt(LOADS)).await?.iter().map(read).collect()
}

/// Number of agent executions on other nodes.
pub async fn count_running_elsewhere(db: &Db, node: &str) -> Result<u32, StoreError> {
    let select = stmt(
        "SELECT COUNT(*) AS running FROM effects
         WHERE open AND lease_node IS NOT NULL AND lease_node <> $1 AND kind = 'run_execution'",
    );
    db.fetch_one(select.bind(node)).await?.count("running")
}

/// Number of agent executions in a project. No execution can start there until the transaction ends. Call it after
/// every other lock of the transaction.
pub async fn count_running_in(tx: &mut Tx, project: ProjectId) -> Result<u32, StoreError> {
    // A transaction that starts an execution appends its event, and waits for this lock.
    counters::advance_events(tx, project, 0).await?;
    let select = stmt(
        "SELECT COUNT(*) AS running FROM executions WHERE open AND agent_id IS NOT NULL AND project_id = $1",
    );
    tx.fetch_one(select.bind(project)).await?.count("running")
}

/// Since when dispatch is paused as a whole.
pub async fn paused_at(db: &Db) -> Result<Option<Timestamp>, StoreError> {
    since(db.fetch_optional(pause()).await?)
}

/// Same, read inside the transaction.
pub async fn paused_at_in(tx: &mut Tx) -> Result<Option<Timestamp>, StoreError> {
    since(tx.fetch_optional(pause()).await?)
}

/// Pauses dispatch as a whole, or resumes it.
pub async fn set_paused(tx: &mut Tx, since: Option<Timestamp>) -> Result<(), StoreError> {
    let statement = match since {
        Some(at) => stmt(
            "INSERT INTO meta (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        )
        .bind(PAUSED)
        .bind(at.millis().to_string()),
        None => stmt("DELETE FROM meta WHERE key = $1").bind(PAUSED),
    };
    tx.execute(statement).await?;
    tx.wake(WakeChannel::Dispatch, "");
    Ok(())
}

fn most(row: &DbRow) -> Result<Option<u32>, StoreError> {
    let most = row.get::<Option<i64>>("max_concurrent")?;
    Ok(most.map(|most| u32::try_from(most).unwrap_or(u32::MAX)))
}

fn pause() -> SqlStatement {
    stmt("SELECT value FROM meta WHERE key = $1").bind(PAUSED)
}

fn since(row: Option<DbRow>) -> Result<Option<Timestamp>, StoreError> {
    row.map(|row| row.parse("value").map(Timestamp::from_millis)).transpose()
}
