//! The table of agents.

use forge_domain::task::TaskKey;
use forge_domain::{AgentId, ExecutionId, ProjectId, Timestamp, UserId};

use crate::cursor::PageCursor;
use crate::db::Db;
use crate::dialect::RowLock;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::column::json;
use crate::tables::page::{ListOrder, PageRequest, SortKey};
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// A registered agent.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentRow {
    pub id: AgentId,
    /// The name, which is unique.
    pub name: String,
    /// Its program and how it is run, as JSON.
    pub executor: serde_json::Value,
    /// Roles that the agent accepts.
    pub roles: Vec<String>,
    /// Whether it accepts no work.
    pub paused: bool,
    /// Maximum number of executions at the same time.
    pub max_concurrent: i64,
    /// Whether it is removed with its work.
    pub ephemeral: bool,
    /// The agent that takes over when its quota is used up (E-9).
    pub fallback: Option<AgentId>,
    /// The project that owns it; `None` for an agent of the server, which works for every project (S-6).
    pub project_id: Option<ProjectId>,
    /// Incremented by each change.
    pub version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// When it was removed. Its row stays, because the history names it.
    pub removed_at: Option<Timestamp>,
}

/// An open execution of an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenExecution {
    pub id: ExecutionId,
    pub task: TaskKey,
    /// The slug of the task's project.
    pub project: String,
}

impl AgentRow {
    /// Whether tasks of this project may be assigned to it (S-6).
    pub fn works_for(&self, project: ProjectId) -> bool {
        self.project_id.is_none_or(|own| own == project)
    }
}

/// Sort order of [`list`]: by name.
pub const ORDER: ListOrder = ListOrder::new("name", &[SortKey::Text]);

/// Adds an agent.
pub async fn insert(tx: &mut Tx, agent: &AgentRow) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO agents (id, name, executor, roles, paused, max_concurrent, ephemeral, version, created_at,
                             updated_at, fallback_id, project_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
    )
    .bind(agent.id)
    .bind(&agent.name)
    .bind(json(&agent.executor)?)
    .bind(json(&agent.roles)?)
    .bind(agent.paused)
    .bind(agent.max_concurrent)
    .bind(agent.ephemeral)
    .bind(agent.version)
    .bind(agent.created_at)
    .bind(agent.updated_at)
    .bind(agent.fallback)
    .bind(agent.project_id);
    tx.execute(insert).await?;
    tx.wake(WakeChannel::Dispatch, "");
    Ok(())
}

/// Updates an agent whose `version` is the current one, and increments it. Returns false if another transaction changed
/// it first.
pub async fn update(tx: &mut Tx, agent: &AgentRow) -> Result<bool, StoreError> {
    let update = stmt(
        "UPDATE agents SET name = $3, executor = $4, roles = $5, paused = $6, max_concurrent = $7, ephemeral = $8,
                           updated_at = $9, fallback_id = $10, version = version + 1
         WHERE id = $1 AND version = $2",
    )
    .bind(agent.id)
    .bind(agent.version)
    .bind(&agent.name)
    .bind(json(&agent.executor)?)
    .bind(json(&agent.roles)?)
    .bind(agent.paused)
    .bind(agent.max_concurrent)
    .bind(agent.ephemeral)
    .bind(agent.updated_at)
    .bind(agent.fallback);
    let written = tx.execute(update).await? == 1;
    tx.wake(WakeChannel::Dispatch, "");
    Ok(written)
}

/// Loads one agent, removed or not.
pub async fn load(db: &Db, id: AgentId) -> Result<Option<AgentRow>, StoreError> {
    db.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// Same, read inside the transaction.
pub async fn load_in(tx: &mut Tx, id: AgentId) -> Result<Option<AgentRow>, StoreError> {
    tx.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// Loads an agent that was not removed, and locks it until the transaction ends. Without the lock, two claims could both
/// use its last free slot.
pub async fn lock(tx: &mut Tx, id: AgentId) -> Result<Option<AgentRow>, StoreError> {
    let select = stmt("SELECT * FROM agents WHERE id = $1 AND removed_at IS NULL").bind(id);
    tx.fetch_optional(select.lock_rows(RowLock::Update)).await?.as_ref().map(read).transpose()
}

/// Removes an agent: its name is free, no agent falls back on it, and it waits for nothing. Its row stays.
pub async fn remove(tx: &mut Tx, id: AgentId, now: Timestamp) -> Result<(), StoreError> {
    // The right-hand sides are the values before the update.
    let remove = stmt(
        "UPDATE agents SET removed_at = $2, removed_name = name, name = id, fallback_id = NULL, updated_at = $2,
                           version = version + 1
         WHERE id = $1 AND removed_at IS NULL",
    );
    tx.execute(remove.bind(id).bind(now)).await?;
    let fallbacks = stmt(
        "UPDATE agents SET fallback_id = NULL, updated_at = $2, version = version + 1 WHERE fallback_id = $1",
    );
    tx.execute(fallbacks.bind(id).bind(now)).await?;
    tx.execute(stmt("DELETE FROM quota_waits WHERE agent_id = $1").bind(id)).await?;
    tx.wake(WakeChannel::Dispatch, "");
    Ok(())
}

/// The open executions of an agent, oldest first; at most `limit`.
pub async fn list_open_executions(
    tx: &mut Tx,
    id: AgentId,
    limit: u32,
) -> Result<Vec<OpenExecution>, StoreError> {
    let select = stmt(
        "SELECT executions.id, tasks.number, projects.slug FROM executions
         JOIN tasks ON tasks.id = executions.task_id JOIN projects ON projects.id = tasks.project_id
         WHERE executions.agent_id = $1 AND executions.open ORDER BY executions.created_at, executions.id LIMIT $2",
    );
    let rows = tx.fetch_all(select.bind(id).bind(limit)).await?;
    let read = |row: &DbRow| {
        let task = TaskKey(row.get("number")?);
        Ok(OpenExecution { id: row.parse("id")?, task, project: row.get("slug")? })
    };
    rows.iter().map(read).collect()
}

/// Lists agents in [`ORDER`].
pub async fn list(
    db: &Db,
    page: &PageRequest,
) -> Result<(Vec<AgentRow>, Option<PageCursor>), StoreError> {
    let select =
        stmt("SELECT * FROM agents WHERE name > $1 AND removed_at IS NULL ORDER BY name LIMIT $2")
            .bind(ORDER.start_or(page, "".into())?)
            .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let agents = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.split_page(agents, |last: &AgentRow| ORDER.after([last.name.clone().into()])))
}

/// Lists the agents of the server and of the user's projects, in [`ORDER`] (S-6).
pub async fn list_for_member(
    db: &Db,
    user: UserId,
    page: &PageRequest,
) -> Result<(Vec<AgentRow>, Option<PageCursor>), StoreError> {
    let select =
        stmt(FOR_MEMBER).bind(ORDER.start_or(page, "".into())?).bind(page.fetch_limit()).bind(user);
    let rows = db.fetch_all(select).await?;
    let agents = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.split_page(agents, |last: &AgentRow| ORDER.after([last.name.clone().into()])))
}

const FOR_MEMBER: &str = "SELECT * FROM agents
     WHERE name > $1 AND removed_at IS NULL AND (project_id IS NULL OR EXISTS (
         SELECT 1 FROM project_members
         WHERE project_members.project_id = agents.project_id AND project_members.user_id = $3))
     ORDER BY name LIMIT $2";

/// All agents that were not removed, by name.
pub async fn all(db: &Db) -> Result<Vec<AgentRow>, StoreError> {
    db.fetch_all(stmt(ALL)).await?.iter().map(read).collect()
}

/// Same, read inside the transaction.
pub async fn all_in(tx: &mut Tx) -> Result<Vec<AgentRow>, StoreError> {
    tx.fetch_all(stmt(ALL)).await?.iter().map(read).collect()
}

const ALL: &str = "SELECT * FROM agents WHERE removed_at IS NULL ORDER BY name";

/// Number of open executions of the agent.
pub async fn count_running(tx: &mut Tx, agent: AgentId) -> Result<i64, StoreError> {
    let select = stmt("SELECT COUNT(*) AS running FROM executions WHERE agent_id = $1 AND open");
    tx.fetch_one(select.bind(agent)).await?.get("running")
}

fn select(id: AgentId) -> SqlStatement {
    stmt("SELECT * FROM agents WHERE id = $1").bind(id)
}

fn read(row: &DbRow) -> Result<AgentRow, StoreError> {
    Ok(AgentRow {
        id: row.parse("id")?,
        name: match row.get("removed_name")? {
            Some(name) => name,
            None => row.get("name")?,
        },
        executor: row.json("executor")?,
        roles: row.json("roles")?,
        paused: row.get("paused")?,
        max_concurrent: row.get("max_concurrent")?,
        ephemeral: row.get("ephemeral")?,
        fallback: row.maybe_parse("fallback_id")?,
        project_id: row.maybe_parse("project_id")?,
        version: row.get("version")?,
        created_at: row.at("created_at")?,
        updated_at: row.at("updated_at")?,
        removed_at: row.maybe_at("removed_at")?,
    })
}
