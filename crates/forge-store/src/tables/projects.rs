//! Boards.

use forge_domain::workflow::WorkflowHash;
use forge_domain::{ProjectId, Timestamp, UserId};

use super::column::json;
use super::counters::{self, NO_PROJECT};
use super::page::{Key, Order, Page};
use crate::cursor::Cursor;
use crate::db::Db;
use crate::dialect::{Pass, RowLock};
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::{Stmt, stmt};
use crate::tx::Tx;
use crate::wake::Channel;

/// A board.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// Its identity.
    pub id: ProjectId,
    /// A small number of its own, for cursors over several projects; given by [`insert`].
    pub ordinal: i64,
    /// What people call it.
    pub name: String,
    /// Its name in branches and directories; unique.
    pub slug: String,
    /// Where its tasks run (W-1).
    pub workspace_type: String,
    /// The workflow that new tasks get.
    pub workflow: WorkflowHash,
    /// Its settings.
    pub settings: serde_json::Value,
    /// Since when agents may not claim.
    pub paused_at: Option<Timestamp>,
    /// Counts the changes.
    pub version: i64,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The order of [`list`]: as they were made.
pub const ORDER: Order = Order::new("ordinal", &[Key::Int]);

/// Adds a project with its counters, and answers the ordinal it got; `project.ordinal` is not read.
pub async fn insert(tx: &mut Tx, project: &Project) -> Result<i64, StoreError> {
    let ordinal = counters::next_task_number(tx, NO_PROJECT).await?;
    let insert = stmt(
        "INSERT INTO projects (id, ordinal, name, slug, workspace_type, workflow, settings, paused_at, version,
                               created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
    )
    .bind(project.id)
    .bind(ordinal)
    .bind(&project.name)
    .bind(&project.slug)
    .bind(&project.workspace_type)
    .bind(&project.workflow)
    .bind(json(&project.settings)?)
    .bind(project.paused_at)
    .bind(project.version)
    .bind(project.created_at)
    .bind(project.updated_at);
    tx.execute(insert).await?;
    counters::insert(tx, project.id).await?;
    Ok(ordinal)
}

/// Writes a project whose `version` is the one that was read, and counts it up. False if somebody was faster.
pub async fn update(tx: &mut Tx, project: &Project) -> Result<bool, StoreError> {
    let update = stmt(
        "UPDATE projects SET name = $3, slug = $4, workspace_type = $5, workflow = $6, settings = $7, paused_at = $8,
                             updated_at = $9, version = version + 1
         WHERE id = $1 AND version = $2",
    )
    .bind(project.id)
    .bind(project.version)
    .bind(&project.name)
    .bind(&project.slug)
    .bind(&project.workspace_type)
    .bind(&project.workflow)
    .bind(json(&project.settings)?)
    .bind(project.paused_at)
    .bind(project.updated_at);
    let written = tx.execute(update).await? == 1;
    tx.wake(Channel::Dispatch, "");
    Ok(written)
}

/// One project.
pub async fn load(db: &Db, id: ProjectId) -> Result<Option<Project>, StoreError> {
    db.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// One project, as the transaction sees it.
pub async fn load_in(tx: &mut Tx, id: ProjectId) -> Result<Option<Project>, StoreError> {
    tx.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// One project, locked until the transaction ends.
pub async fn lock(tx: &mut Tx, id: ProjectId) -> Result<Option<Project>, StoreError> {
    tx.fetch_optional(select(id).lock_rows(RowLock::Update)).await?.as_ref().map(read).transpose()
}

/// One project whose workflow stays until the transaction ends, so that a task can be made by it. Comes before every
/// other lock of the transaction.
pub async fn enter(tx: &mut Tx, id: ProjectId) -> Result<Option<Project>, StoreError> {
    pass(tx, id, Pass::Enter).await?;
    // Apart from the gate: a query sees the rows as they were when it began, so before it waited.
    load_in(tx, id).await
}

/// Waits for every transaction that has [`enter`]ed the project, and lets none in until this one ends.
pub async fn close_entry(tx: &mut Tx, id: ProjectId) -> Result<(), StoreError> {
    pass(tx, id, Pass::Close).await
}

async fn pass(tx: &mut Tx, id: ProjectId, pass: Pass) -> Result<(), StoreError> {
    if let Some(query) = tx.dialect().gate(pass) {
        // The half that is random. Projects that share it by chance wait for each other, and no more than that.
        let (_, gate) = id.uuid().as_u64_pair();
        tx.fetch_one(stmt(query).bind(gate.cast_signed())).await?;
    }
    Ok(())
}

/// One project by its slug.
pub async fn by_slug(db: &Db, slug: &str) -> Result<Option<Project>, StoreError> {
    let select = stmt("SELECT * FROM projects WHERE slug = $1").bind(slug);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// The projects, in [`ORDER`].
pub async fn list(db: &Db, page: &Page) -> Result<(Vec<Project>, Option<Cursor>), StoreError> {
    let select = stmt("SELECT * FROM projects WHERE ordinal > $1 ORDER BY ordinal LIMIT $2")
        .bind(ORDER.start_or(page, 0_i64.into())?)
        .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let projects = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.cut(projects, |last: &Project| ORDER.after([last.ordinal.into()])))
}

/// The projects that a person is a member of, in [`ORDER`].
pub async fn list_of_member(
    db: &Db,
    user: UserId,
    page: &Page,
) -> Result<(Vec<Project>, Option<Cursor>), StoreError> {
    let select = stmt(
        "SELECT projects.* FROM project_members JOIN projects ON projects.id = project_members.project_id
         WHERE project_members.user_id = $1 AND projects.ordinal > $2 ORDER BY projects.ordinal LIMIT $3",
    )
    .bind(user)
    .bind(ORDER.start_or(page, 0_i64.into())?)
    .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let projects = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.cut(projects, |last: &Project| ORDER.after([last.ordinal.into()])))
}

fn select(id: ProjectId) -> Stmt {
    stmt("SELECT * FROM projects WHERE id = $1").bind(id)
}

fn read(row: &DbRow) -> Result<Project, StoreError> {
    Ok(Project {
        id: row.parse("id")?,
        ordinal: row.get("ordinal")?,
        name: row.get("name")?,
        slug: row.get("slug")?,
        workspace_type: row.get("workspace_type")?,
        workflow: WorkflowHash::new(row.get::<String>("workflow")?),
        settings: row.json("settings")?,
        paused_at: row.maybe_at("paused_at")?,
        version: row.get("version")?,
        created_at: row.at("created_at")?,
        updated_at: row.at("updated_at")?,
    })
}
