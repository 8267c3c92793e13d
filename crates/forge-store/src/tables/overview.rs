//! The tasks of all projects that a user sees, by what happens to them (S-4). Counts end at [`MOST_COUNTED`] and rows at
//! a small limit, and each part is read from its index, so that the size of the boards does not matter (D-4).

use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{BoardPhase, TaskStanding};
use forge_domain::{ProjectId, Timestamp, UserId};

use crate::db::Db;
use crate::row::DbRow;
use crate::store_error::StoreError;
use crate::tables::column::word;
use crate::tables::query_builder::QueryBuilder;
use crate::value::SqlValue;

/// Highest count; a part with more tasks has at least this many.
pub const MOST_COUNTED: u32 = 1000;

/// Most landed tasks of the period that are read.
const MOST_LANDED: u32 = 100;

/// Most projects whose queues are compared.
const MOST_QUEUES: u32 = 100;

/// A task of the overview.
#[derive(Clone, Debug)]
pub struct OverviewRow {
    pub task: TaskSnapshot,
    /// Since when it is in this part.
    pub since: Timestamp,
    /// The name of its project.
    pub project_name: String,
    /// The slug of its project.
    pub project_slug: String,
}

/// A part of the overview.
#[derive(Clone, Debug, Default)]
pub struct OverviewPart {
    /// Number of its tasks, up to [`MOST_COUNTED`].
    pub count: u32,
    /// The first of them.
    pub rows: Vec<OverviewRow>,
}

/// Number of tasks that wait for a person, up to [`MOST_COUNTED`].
pub async fn count_needs_person(db: &Db, member: Option<UserId>) -> Result<u32, StoreError> {
    count(db, &|query| {
        query.text(" FROM needs_person WHERE reason IS NOT NULL");
        limit_to_member(query, "needs_person.project_id", member);
        Ok(())
    })
    .await
}

/// Tasks that an agent, a person or the server works on and that wait for no person, latest first.
pub async fn working(
    db: &Db,
    member: Option<UserId>,
    limit: u32,
) -> Result<OverviewPart, StoreError> {
    let count = count(db, &|query| working_source(query, member)).await?;
    let rows = db.fetch_all(working_rows(member, limit)?.into_stmt()).await?;
    Ok(OverviewPart { count, rows: read_all(&rows)? })
}

/// Tasks that wait for an agent, most urgent first.
pub async fn queued(
    db: &Db,
    member: Option<UserId>,
    limit: u32,
) -> Result<OverviewPart, StoreError> {
    let count = count(db, &|query| {
        queue_source(query);
        limit_to_member(query, "waiting_tasks.project_id", member);
        Ok(())
    })
    .await?;
    let projects = db.fetch_all(projects_with_queue(member).into_stmt()).await?;
    let projects = projects.iter().map(|row| row.parse("id"));
    let projects: Vec<ProjectId> = projects.collect::<Result<_, _>>()?;
    if projects.is_empty() {
        return Ok(OverviewPart { count, rows: Vec::new() });
    }
    let rows = db.fetch_all(queue_heads(&projects, limit).into_stmt()).await?;
    Ok(OverviewPart { count, rows: read_all(&rows)? })
}

/// Tasks whose landing was recorded since a time, latest first.
pub async fn landed(
    db: &Db,
    member: Option<UserId>,
    since: Timestamp,
    limit: u32,
) -> Result<OverviewPart, StoreError> {
    let rows = db.fetch_all(landed_rows(member, since)?.into_stmt()).await?;
    let mut landed = Vec::new();
    for mut row in read_all(&rows)? {
        // The row may have changed after an earlier landing, for example by a comment.
        let at = row.task.post_landing.landed.as_ref().map(|landed| landed.at);
        if let Some(at) = at.filter(|at| *at >= since) {
            row.since = at;
            landed.push(row);
        }
    }
    let count = u32::try_from(landed.len()).unwrap_or(MOST_LANDED);
    landed.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(OverviewPart { count, rows: landed })
}

/// Number of tasks that are not queued yet, up to [`MOST_COUNTED`].
pub async fn count_backlog(db: &Db, member: Option<UserId>) -> Result<u32, StoreError> {
    count(db, &|query| backlog_source(query, member)).await
}

async fn count(
    db: &Db,
    source: &(dyn Fn(&mut QueryBuilder) -> Result<(), StoreError> + Sync),
) -> Result<u32, StoreError> {
    let row = db.fetch_one(count_query(source)?.into_stmt()).await?;
    row.count("counted")
}

fn count_query(
    source: &(dyn Fn(&mut QueryBuilder) -> Result<(), StoreError> + Sync),
) -> Result<QueryBuilder, StoreError> {
    let mut query = QueryBuilder::new("SELECT COUNT(*) AS counted FROM (SELECT 1 AS one");
    source(&mut query)?;
    query.text(" LIMIT ").value(MOST_COUNTED).text(") AS found");
    Ok(query)
}

/// Whatever the server or an agent does for a task is an open effect, and what a person does is an open execution.
fn working_source(query: &mut QueryBuilder, member: Option<UserId>) -> Result<(), StoreError> {
    query.text(
        " FROM tasks JOIN projects ON projects.id = tasks.project_id
          WHERE tasks.id IN (SELECT task_id FROM effects WHERE open UNION SELECT task_id FROM executions WHERE open)
            AND tasks.archived = FALSE AND tasks.phase IN ",
    );
    let phases = [word(BoardPhase::Working)?, word(BoardPhase::Review)?];
    query.value_group(true, phases.map(SqlValue::from)).text(
        " AND NOT EXISTS (SELECT 1 FROM needs_person
                          WHERE needs_person.task_id = tasks.id AND needs_person.reason IS NOT NULL)",
    );
    limit_to_member(query, "tasks.project_id", member);
    Ok(())
}

pub(crate) fn working_rows(member: Option<UserId>, limit: u32) -> Result<QueryBuilder, StoreError> {
    let mut query = QueryBuilder::new(
        "SELECT tasks.snapshot, projects.name, projects.slug,
                COALESCE((SELECT started_at FROM executions WHERE executions.task_id = tasks.id AND open),
                         tasks.updated_at) AS since",
    );
    working_source(&mut query, member)?;
    query.text(" ORDER BY tasks.updated_at DESC, tasks.id LIMIT ").value(limit);
    Ok(query)
}

/// A task that is queued for a person is one of those that wait for a person.
fn queue_source(query: &mut QueryBuilder) -> &mut QueryBuilder {
    query.text(
        " FROM waiting_tasks
          WHERE NOT EXISTS (SELECT 1 FROM needs_person
                            WHERE needs_person.task_id = waiting_tasks.task_id AND needs_person.reason IS NOT NULL)",
    )
}

fn projects_with_queue(member: Option<UserId>) -> QueryBuilder {
    let mut query = QueryBuilder::new(
        "SELECT projects.id FROM projects
         WHERE EXISTS (SELECT 1 FROM waiting_tasks WHERE waiting_tasks.project_id = projects.id)",
    );
    limit_to_member(&mut query, "projects.id", member);
    query.text(" ORDER BY projects.created_at DESC LIMIT ").value(MOST_QUEUES);
    query
}

/// The heads of the projects' queues, each read from its index.
pub(crate) fn queue_heads(projects: &[ProjectId], limit: u32) -> QueryBuilder {
    let mut query = QueryBuilder::new(
        "SELECT tasks.snapshot, projects.name, projects.slug, tasks.updated_at AS since FROM (",
    );
    for (place, project) in projects.iter().enumerate() {
        query.text(if place == 0 { "" } else { " UNION ALL " });
        query.text("SELECT * FROM (SELECT waiting_tasks.task_id, waiting_tasks.urgency, waiting_tasks.number");
        queue_source(&mut query).text(" AND waiting_tasks.project_id = ").value(*project);
        query.text(" ORDER BY waiting_tasks.urgency, waiting_tasks.number LIMIT ").value(limit);
        query.text(") AS head");
    }
    query.text(
        ") AS heads
         JOIN tasks ON tasks.id = heads.task_id
         JOIN projects ON projects.id = tasks.project_id
         ORDER BY heads.urgency, heads.number LIMIT ",
    );
    query.value(limit);
    query
}

pub(crate) fn landed_rows(
    member: Option<UserId>,
    since: Timestamp,
) -> Result<QueryBuilder, StoreError> {
    let mut query = QueryBuilder::new(
        "SELECT tasks.snapshot, projects.name, projects.slug, tasks.updated_at AS since
         FROM projects CROSS JOIN tasks WHERE tasks.project_id = projects.id AND tasks.archived = FALSE AND tasks.phase = ",
    );
    query.value(word(BoardPhase::Done)?).text(" AND tasks.updated_at >= ").value(since);
    query.text(" AND tasks.standing = ").value(word(TaskStanding::Succeeded)?);
    limit_to_member(&mut query, "projects.id", member);
    query.text(" ORDER BY tasks.updated_at DESC, tasks.id LIMIT ").value(MOST_LANDED);
    Ok(query)
}

fn backlog_source(query: &mut QueryBuilder, member: Option<UserId>) -> Result<(), StoreError> {
    query.text(
        " FROM projects CROSS JOIN tasks
          WHERE tasks.project_id = projects.id AND tasks.archived = FALSE AND tasks.phase = ",
    );
    query.value(word(BoardPhase::Backlog)?);
    limit_to_member(query, "projects.id", member);
    Ok(())
}

fn limit_to_member(query: &mut QueryBuilder, column: &'static str, member: Option<UserId>) {
    if let Some(user) = member {
        query
            .text(" AND ")
            .text(column)
            .text(" IN (SELECT project_id FROM project_members WHERE user_id = ")
            .value(user)
            .text(")");
    }
}

fn read_all(rows: &[DbRow]) -> Result<Vec<OverviewRow>, StoreError> {
    rows.iter().map(read).collect()
}

fn read(row: &DbRow) -> Result<OverviewRow, StoreError> {
    Ok(OverviewRow {
        task: row.json("snapshot")?,
        since: row.at("since")?,
        project_name: row.get("name")?,
        project_slug: row.get("slug")?,
    })
}
