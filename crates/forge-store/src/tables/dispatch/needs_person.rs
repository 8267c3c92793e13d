//! Tasks that wait for a person (T-28).

use forge_domain::task::TaskSnapshot;
use forge_domain::{ProjectId, TaskId, Timestamp, UserId};

use crate::cursor::PageCursor;
use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::page::{ListOrder, PageRequest, SortKey};
use crate::tables::query_builder::QueryBuilder;
use crate::tx::Tx;

/// A task that waits for a person.
#[derive(Clone, Debug)]
pub struct NeedsPersonRow {
    pub task: TaskSnapshot,
    /// Since when it waits for this reason.
    pub since: Timestamp,
    /// The name of its project.
    pub project_name: String,
    /// The slug of its project.
    pub project_slug: String,
}

/// Filter of the list.
#[derive(Clone, Copy, Debug, Default)]
pub struct NeedsPersonFilter {
    /// Only projects of which this user is a member.
    pub member: Option<UserId>,
    /// Only this project.
    pub project: Option<ProjectId>,
}

/// Sort order of [`list`]: the longest wait first.
pub const ORDER: ListOrder = ListOrder::new("since", &[SortKey::Int, SortKey::Text]);

/// Stores that a task waits for a person, and why.
pub async fn put(
    tx: &mut Tx,
    task: &TaskSnapshot,
    reason: &str,
    since: Timestamp,
) -> Result<(), StoreError> {
    let upsert = stmt(
        "INSERT INTO needs_person (task_id, project_id, reason, since) VALUES ($1, $2, $3, $4)
         ON CONFLICT (task_id) DO UPDATE SET reason = excluded.reason, since = excluded.since",
    );
    tx.execute(upsert.bind(task.id).bind(task.project_id).bind(reason).bind(since)).await?;
    Ok(())
}

/// Stores that a task waits for no person.
pub async fn remove(tx: &mut Tx, task: TaskId) -> Result<(), StoreError> {
    tx.execute(stmt("DELETE FROM needs_person WHERE task_id = $1").bind(task)).await?;
    Ok(())
}

/// Since when a task waits for a person; `None` if it does not.
pub async fn since(db: &Db, task: TaskId) -> Result<Option<Timestamp>, StoreError> {
    let select =
        stmt("SELECT since FROM needs_person WHERE task_id = $1 AND reason IS NOT NULL").bind(task);
    db.fetch_optional(select).await?.map(|row| row.at("since")).transpose()
}

/// One page of the tasks that wait for a person, in [`ORDER`].
pub async fn list(
    db: &Db,
    filter: NeedsPersonFilter,
    page: &PageRequest,
) -> Result<(Vec<NeedsPersonRow>, Option<PageCursor>), StoreError> {
    let rows = db.fetch_all(assemble(filter, page)?.into_stmt()).await?;
    let found = rows.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    Ok(page.split_page(found, |last| {
        ORDER.after([last.since.millis().into(), last.task.id.to_string().into()])
    }))
}

pub(crate) fn assemble(
    filter: NeedsPersonFilter,
    page: &PageRequest,
) -> Result<QueryBuilder, StoreError> {
    let mut query = QueryBuilder::new(
        "SELECT tasks.snapshot, needs_person.since, projects.name, projects.slug
         FROM needs_person
         JOIN tasks ON tasks.id = needs_person.task_id
         JOIN projects ON projects.id = needs_person.project_id
         WHERE needs_person.reason IS NOT NULL",
    );
    if let Some(project) = filter.project {
        query.text(" AND needs_person.project_id = ").value(project);
    }
    if let Some(user) = filter.member {
        query
            .text(" AND needs_person.project_id IN (SELECT project_id FROM project_members WHERE user_id = ")
            .value(user)
            .text(")");
    }
    if let Some(start) = ORDER.start(page)? {
        query.text(" AND (needs_person.since, needs_person.task_id) > ");
        query.value_group(true, start);
    }
    query
        .text(" ORDER BY needs_person.since, needs_person.task_id LIMIT ")
        .value(page.fetch_limit());
    Ok(query)
}

/// Tasks older than this table, whose reason is not stored yet.
pub async fn list_unknown(db: &Db, limit: u32) -> Result<Vec<TaskId>, StoreError> {
    let select =
        stmt("SELECT task_id FROM needs_person WHERE reason IS NULL ORDER BY task_id LIMIT $1");
    db.fetch_all(select.bind(limit)).await?.iter().map(|row| row.parse("task_id")).collect()
}

fn read(row: &DbRow) -> Result<NeedsPersonRow, StoreError> {
    Ok(NeedsPersonRow {
        task: row.json("snapshot")?,
        since: row.at("since")?,
        project_name: row.get("name")?,
        project_slug: row.get("slug")?,
    })
}
