//! What giving out tasks has to keep to: who has how much under way, whose turn it was, and whether it is paused (E-10).

use forge_domain::{AgentId, ProjectId, Timestamp};

use super::counters;
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::{Stmt, stmt};
use crate::tx::Tx;
use crate::wake::Channel;

/// A project that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Served {
    /// Which.
    pub project_id: ProjectId,
    /// How many executions of agents it may have at once.
    pub max_concurrent: Option<u32>,
    /// When an agent last got one of its tasks.
    pub served_at: Option<Timestamp>,
}

/// How many executions an agent has under way in a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// The agent.
    pub agent_id: AgentId,
    /// The project.
    pub project_id: ProjectId,
    /// Under way.
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

/// Begins to serve a project, or goes on with another limit; `hold` lets tasks wait whose branches clash with one that
/// has begun.
pub async fn serve(
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
    tx.wake(Channel::Dispatch, "");
    Ok(())
}

/// Serves a project no longer.
pub async fn leave(tx: &mut Tx, project: ProjectId) -> Result<(), StoreError> {
    tx.execute(stmt("DELETE FROM served_projects WHERE project_id = $1").bind(project)).await?;
    Ok(())
}

/// Whether a project is served, as the transaction sees it, and how many executions of agents it may have at once.
pub async fn served_in(tx: &mut Tx, project: ProjectId) -> Result<Option<Option<u32>>, StoreError> {
    let select = stmt("SELECT * FROM served_projects WHERE project_id = $1").bind(project);
    tx.fetch_optional(select).await?.as_ref().map(most).transpose()
}

/// The same, from outside of a transaction.
pub async fn load_served(db: &Db, project: ProjectId) -> Result<Option<Option<u32>>, StoreError> {
    let select = stmt("SELECT * FROM served_projects WHERE project_id = $1").bind(project);
    db.fetch_optional(select).await?.as_ref().map(most).transpose()
}

/// The projects that are served and not paused.
pub async fn served(db: &Db) -> Result<Vec<Served>, StoreError> {
    let read = |row: &DbRow| {
        Ok(Served {
            project_id: row.parse("project_id")?,
            max_concurrent: most(row)?,
            served_at: row.maybe_at("served_at")?,
        })
    };
    db.fetch_all(stmt(SERVED)).await?.iter().map(read).collect()
}

/// Who has how much under way where.
pub async fn loads(db: &Db) -> Result<Vec<Load>, StoreError> {
    let read = |row: &DbRow| {
        Ok(Load {
            agent_id: row.parse("agent_id")?,
            project_id: row.parse("project_id")?,
            running: row.count("running")?,
        })
    };
    db.fetch_all(stmt(LOADS)).await?.iter().map(read).collect()
}

/// How many runs of agents other nodes carry out.
pub async fn running_elsewhere(db: &Db, node: &str) -> Result<u32, StoreError> {
    let select = stmt(
        "SELECT COUNT(*) AS running FROM effects
         WHERE open AND lease_node IS NOT NULL AND lease_node <> $1 AND kind = 'run_turn'",
    );
    db.fetch_one(select.bind(node)).await?.count("running")
}

/// How many executions agents have under way in a project; none can begin there until the transaction ends. Comes after
/// every other lock of the transaction.
pub async fn count_running_in(tx: &mut Tx, project: ProjectId) -> Result<u32, StoreError> {
    // Whoever begins one counts its event, and waits here.
    counters::advance_events(tx, project, 0).await?;
    let select = stmt(
        "SELECT COUNT(*) AS running FROM executions WHERE open AND agent_id IS NOT NULL AND project_id = $1",
    );
    tx.fetch_one(select.bind(project)).await?.count("running")
}

/// Since when nothing is given out at all.
pub async fn paused_at(db: &Db) -> Result<Option<Timestamp>, StoreError> {
    since(db.fetch_optional(pause()).await?)
}

/// The same, as the transaction sees it.
pub async fn paused_at_in(tx: &mut Tx) -> Result<Option<Timestamp>, StoreError> {
    since(tx.fetch_optional(pause()).await?)
}

/// Pauses giving out, or resumes it.
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
    tx.wake(Channel::Dispatch, "");
    Ok(())
}

fn most(row: &DbRow) -> Result<Option<u32>, StoreError> {
    let most = row.get::<Option<i64>>("max_concurrent")?;
    Ok(most.map(|most| u32::try_from(most).unwrap_or(u32::MAX)))
}

fn pause() -> Stmt {
    stmt("SELECT value FROM meta WHERE key = $1").bind(PAUSED)
}

fn since(row: Option<DbRow>) -> Result<Option<Timestamp>, StoreError> {
    row.map(|row| row.parse("value").map(Timestamp::from_millis)).transpose()
}
