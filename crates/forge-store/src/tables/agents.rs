//! Workers.

use forge_domain::{AgentId, Timestamp};

use super::column::json;
use super::page::{Key, Order, Page};
use crate::cursor::Cursor;
use crate::db::Db;
use crate::dialect::RowLock;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::{Stmt, stmt};
use crate::tx::Tx;
use crate::wake::Channel;

/// A named worker.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// Its identity.
    pub id: AgentId,
    /// Its name; unique.
    pub name: String,
    /// Which program it is, and how it is run.
    pub executor: serde_json::Value,
    /// The roles it can take.
    pub roles: Vec<String>,
    /// Whether it takes no work.
    pub paused: bool,
    /// How many executions it may have at once.
    pub max_concurrent: i64,
    /// Whether it goes away with its work.
    pub ephemeral: bool,
    /// Who takes over when its allowance is used up (E-9).
    pub fallback: Option<AgentId>,
    /// Counts the changes.
    pub version: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The order of [`list`]: by name.
pub const ORDER: Order = Order::new("name", &[Key::Text]);

/// Adds an agent.
pub async fn insert(tx: &mut Tx, agent: &Agent) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO agents (id, name, executor, roles, paused, max_concurrent, ephemeral, version, created_at,
                             updated_at, fallback_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
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
    .bind(agent.fallback);
    tx.execute(insert).await?;
    tx.wake(Channel::Dispatch, "");
    Ok(())
}

/// Writes an agent whose `version` is the one that was read, and counts it up. False if somebody was faster.
pub async fn update(tx: &mut Tx, agent: &Agent) -> Result<bool, StoreError> {
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
    tx.wake(Channel::Dispatch, "");
    Ok(written)
}

/// One agent.
pub async fn load(db: &Db, id: AgentId) -> Result<Option<Agent>, StoreError> {
    db.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// The same, as the transaction sees it.
pub async fn load_in(tx: &mut Tx, id: AgentId) -> Result<Option<Agent>, StoreError> {
    tx.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// One agent, kept from changing and from being locked by another claim until the transaction ends; without that, two
/// claims could both see its last free place.
pub async fn lock(tx: &mut Tx, id: AgentId) -> Result<Option<Agent>, StoreError> {
    tx.fetch_optional(select(id).lock_rows(RowLock::Update)).await?.as_ref().map(read).transpose()
}

/// The agents, in [`ORDER`].
pub async fn list(db: &Db, page: &Page) -> Result<(Vec<Agent>, Option<Cursor>), StoreError> {
    let select = stmt("SELECT * FROM agents WHERE name > $1 ORDER BY name LIMIT $2")
        .bind(ORDER.start_or(page, "".into())?)
        .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let agents = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.cut(agents, |last: &Agent| ORDER.after([last.name.clone().into()])))
}

/// Every agent, by name.
pub async fn all(db: &Db) -> Result<Vec<Agent>, StoreError> {
    db.fetch_all(stmt("SELECT * FROM agents ORDER BY name")).await?.iter().map(read).collect()
}

/// How many executions of the agent are open.
pub async fn count_running(tx: &mut Tx, agent: AgentId) -> Result<i64, StoreError> {
    let select = stmt("SELECT COUNT(*) AS running FROM executions WHERE agent_id = $1 AND open");
    tx.fetch_one(select.bind(agent)).await?.get("running")
}

fn select(id: AgentId) -> Stmt {
    stmt("SELECT * FROM agents WHERE id = $1").bind(id)
}

fn read(row: &DbRow) -> Result<Agent, StoreError> {
    Ok(Agent {
        id: row.parse("id")?,
        name: row.get("name")?,
        executor: row.json("executor")?,
        roles: row.json("roles")?,
        paused: row.get("paused")?,
        max_concurrent: row.get("max_concurrent")?,
        ephemeral: row.get("ephemeral")?,
        fallback: row.maybe_parse("fallback_id")?,
        version: row.get("version")?,
        created_at: row.at("created_at")?,
        updated_at: row.at("updated_at")?,
    })
}
