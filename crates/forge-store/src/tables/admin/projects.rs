//! The table of projects.

use forge_domain::project::StoredSettings;
use forge_domain::workflow::WorkflowHash;
use forge_domain::{ProjectId, Timestamp, UserId, WorkspaceType};

use crate::cursor::PageCursor;
use crate::db::Db;
use crate::dialect::{AdvisoryLock, RowLock};
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::column::{json, word};
use crate::tables::history::counters;
use crate::tables::history::counters::NO_PROJECT;
use crate::tables::page::{ListOrder, PageRequest, SortKey};
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// A project with its board.
#[derive(Clone, Debug, PartialEq)]
pub struct ProjectRow {
    pub id: ProjectId,
    /// A small unique number for cursors over several projects; assigned by [`insert`].
    pub ordinal: i64,
    /// Name for users.
    pub name: String,
    /// Name in branches and directories; unique.
    pub slug: String,
    /// Type of its workspaces (W-1).
    pub workspace_type: WorkspaceType,
    /// The workflow of new tasks.
    pub workflow: WorkflowHash,
    pub settings: StoredSettings,
    /// Since when agents may not claim its tasks.
    pub paused_at: Option<Timestamp>,
    /// Incremented by each change.
    pub version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Sort order of [`list`]: by creation.
pub const ORDER: ListOrder = ListOrder::new("ordinal", &[SortKey::Int]);

/// Adds a project with its counters, and returns its new ordinal; `project.ordinal` is ignored.
pub async fn insert(tx: &mut Tx, project: &ProjectRow) -> Result<i64, StoreError> {
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
    .bind(word(project.workspace_type)?)
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

/// Updates a project whose `version` is the current one, and increments it. Returns false if another transaction
/// changed it first.
pub async fn update(tx: &mut Tx, project: &ProjectRow) -> Result<bool, StoreError> {
    let update = stmt(
        "UPDATE projects SET name = $3, slug = $4, workspace_type = $5, workflow = $6, settings = $7, paused_at = $8,
                             updated_at = $9, version = version + 1
         WHERE id = $1 AND version = $2",
    )
    .bind(project.id)
    .bind(project.version)
    .bind(&project.name)
    .bind(&project.slug)
    .bind(word(project.workspace_type)?)
    .bind(&project.workflow)
    .bind(json(&project.settings)?)
    .bind(project.paused_at)
    .bind(project.updated_at);
    let written = tx.execute(update).await? == 1;
    tx.wake(WakeChannel::Dispatch, "");
    Ok(written)
}

/// Loads one project, unless it was removed.
pub async fn load(db: &Db, id: ProjectId) -> Result<Option<ProjectRow>, StoreError> {
    db.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// Loads one project, read inside the transaction.
pub async fn load_in(tx: &mut Tx, id: ProjectId) -> Result<Option<ProjectRow>, StoreError> {
    tx.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// Loads one project and locks it until the transaction ends.
pub async fn lock(tx: &mut Tx, id: ProjectId) -> Result<Option<ProjectRow>, StoreError> {
    tx.fetch_optional(select(id).lock_rows(RowLock::Update)).await?.as_ref().map(read).transpose()
}

/// Loads a project and keeps its workflow unchanged until the transaction ends, so that a task can be created with it.
/// Call it before every other lock of the transaction.
pub async fn load_with_shared_lock(
    tx: &mut Tx,
    id: ProjectId,
) -> Result<Option<ProjectRow>, StoreError> {
    take_advisory_lock(tx, id, AdvisoryLock::Shared).await?;
    // A separate query: a query sees the rows as of its start, which is before it waited for the lock.
    load_in(tx, id).await
}

/// Waits for every transaction that called [`load_with_shared_lock`], and blocks new ones until this one ends.
pub async fn lock_workflow(tx: &mut Tx, id: ProjectId) -> Result<(), StoreError> {
    take_advisory_lock(tx, id, AdvisoryLock::Exclusive).await
}

async fn take_advisory_lock(
    tx: &mut Tx,
    id: ProjectId,
    pass: AdvisoryLock,
) -> Result<(), StoreError> {
    if let Some(query) = tx.dialect().advisory_lock_query(pass) {
        // The random half of the id. Projects that share it by chance only wait for each other.
        let (_, gate) = id.uuid().as_u64_pair();
        tx.fetch_one(stmt(query).bind(gate.cast_signed())).await?;
    }
    Ok(())
}

/// Removes a project: its slug is free, dispatch does not serve it, and it has no budget. The row and the tasks stay,
/// because the history names them. The caller removes its repositories.
pub async fn remove(tx: &mut Tx, id: ProjectId, now: Timestamp) -> Result<(), StoreError> {
    // The right-hand sides are the values before the update.
    let remove = stmt(
        "UPDATE projects SET removed_at = $2, removed_slug = slug, slug = id, updated_at = $2, version = version + 1
         WHERE id = $1 AND removed_at IS NULL",
    );
    tx.execute(remove.bind(id).bind(now)).await?;
    for text in [
        "DELETE FROM served_projects WHERE project_id = $1",
        "DELETE FROM project_budgets WHERE project_id = $1",
    ] {
        tx.execute(stmt(text).bind(id)).await?;
    }
    tx.wake(WakeChannel::Dispatch, "");
    Ok(())
}

/// Loads a project by its slug.
pub async fn by_slug(db: &Db, slug: &str) -> Result<Option<ProjectRow>, StoreError> {
    let select = stmt("SELECT * FROM projects WHERE slug = $1").bind(slug);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

pub async fn all(db: &Db) -> Result<Vec<ProjectRow>, StoreError> {
    db.fetch_all(stmt("SELECT * FROM projects WHERE removed_at IS NULL ORDER BY id"))
        .await?
        .iter()
        .map(read)
        .collect()
}

/// Lists projects in [`ORDER`].
pub async fn list(
    db: &Db,
    page: &PageRequest,
) -> Result<(Vec<ProjectRow>, Option<PageCursor>), StoreError> {
    let select = stmt("SELECT * FROM projects WHERE ordinal > $1 AND removed_at IS NULL ORDER BY ordinal LIMIT $2")
        .bind(ORDER.start_or(page, 0_i64.into())?)
        .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let projects = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.split_page(projects, |last: &ProjectRow| ORDER.after([last.ordinal.into()])))
}

/// Lists the projects of a member in [`ORDER`].
pub async fn list_of_member(
    db: &Db,
    user: UserId,
    page: &PageRequest,
) -> Result<(Vec<ProjectRow>, Option<PageCursor>), StoreError> {
    let select = stmt(
        "SELECT projects.* FROM project_members JOIN projects ON projects.id = project_members.project_id
         WHERE project_members.user_id = $1 AND projects.ordinal > $2 AND projects.removed_at IS NULL
         ORDER BY projects.ordinal LIMIT $3",
    )
    .bind(user)
    .bind(ORDER.start_or(page, 0_i64.into())?)
    .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let projects = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.split_page(projects, |last: &ProjectRow| ORDER.after([last.ordinal.into()])))
}

fn select(id: ProjectId) -> SqlStatement {
    stmt("SELECT * FROM projects WHERE id = $1 AND removed_at IS NULL").bind(id)
}

fn read(row: &DbRow) -> Result<ProjectRow, StoreError> {
    Ok(ProjectRow {
        id: row.parse("id")?,
        ordinal: row.get("ordinal")?,
        name: row.get("name")?,
        slug: row.get("slug")?,
        workspace_type: row.word("workspace_type")?,
        workflow: WorkflowHash::new(row.get::<String>("workflow")?),
        settings: StoredSettings::parse(&row.get::<String>("settings")?)
            .map_err(|error| StoreError::corrupt("settings", error))?,
        paused_at: row.maybe_at("paused_at")?,
        version: row.get("version")?,
        created_at: row.at("created_at")?,
        updated_at: row.at("updated_at")?,
    })
}
