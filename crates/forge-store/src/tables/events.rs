//! What happened, in a sequence without gaps per project (S-2).

use forge_domain::{Actor, ProjectId, Recorded, TaskId, Timestamp, UserId};

use super::assembly::Assembly;
use super::column::{count, json};
use super::counters;
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::{Stmt, stmt};
use crate::tx::Tx;
use crate::wake::Channel;

/// An event that is to be appended.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// Its type on the wire: `noun.verb`.
    pub kind: String,
    /// The version of what it is about, afterwards.
    pub version: i64,
    /// When.
    pub at: Timestamp,
    /// What.
    pub data: serde_json::Value,
}

impl NewEvent {
    /// An event of a task.
    pub fn of_task(recorded: &Recorded) -> Result<Self, StoreError> {
        let mut tagged = serde_json::to_value(&recorded.event).map_err(StoreError::statement)?;
        Ok(Self {
            kind: recorded.event.kind().0.to_owned(),
            version: recorded.version,
            at: recorded.at,
            data: tagged.get_mut("data").map_or(serde_json::Value::Null, serde_json::Value::take),
        })
    }
}

/// An event as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// Its project, or [`counters::NO_PROJECT`].
    pub project_id: ProjectId,
    /// The project's small number; 0 for no project.
    pub ordinal: i64,
    /// Its place in the project's sequence, from 1.
    pub seq: i64,
    /// Its type on the wire.
    pub kind: String,
    /// The task it is about.
    pub task_id: Option<TaskId>,
    /// Who caused it.
    pub actor: Actor,
    /// When.
    pub at: Timestamp,
    /// What.
    pub data: serde_json::Value,
    /// The version of what it is about, afterwards.
    pub version: i64,
}

impl EventRow {
    /// The event of a task, for replay.
    pub fn recorded(self) -> Result<Recorded, StoreError> {
        let mut tagged = serde_json::json!({ "type": self.kind });
        if !self.data.is_null()
            && let Some(tagged) = tagged.as_object_mut()
        {
            tagged.insert("data".to_owned(), self.data);
        }
        Ok(Recorded {
            event: serde_json::from_value(tagged)
                .map_err(|error| StoreError::corrupt("data", error))?,
            at: self.at,
            version: self.version,
        })
    }
}

/// Appends events, and answers the sequence number of the last.
pub async fn append(
    tx: &mut Tx,
    project: ProjectId,
    actor: &Actor,
    task: Option<TaskId>,
    events: &[NewEvent],
) -> Result<i64, StoreError> {
    let n = count(events.len() as u64);
    let first = counters::advance_events(tx, project, n).await?;
    append_at(tx, project, first, actor, task, events).await
}

/// Appends events at a place that [`counters::advance`] has reserved in this transaction.
pub async fn append_at(
    tx: &mut Tx,
    project: ProjectId,
    first: i64,
    actor: &Actor,
    task: Option<TaskId>,
    events: &[NewEvent],
) -> Result<i64, StoreError> {
    if let Some(insert) = insert(project, first, actor, task, events)? {
        tx.execute(insert).await?;
        tx.wake(Channel::Events, &project.to_string());
    }
    Ok(first + count(events.len() as u64) - 1)
}

fn insert(
    project: ProjectId,
    first: i64,
    actor: &Actor,
    task: Option<TaskId>,
    events: &[NewEvent],
) -> Result<Option<Stmt>, StoreError> {
    let actor = json(actor)?;
    Ok(match events {
        [] => None,
        // By far the most frequent, and worth a prepared statement.
        [event] => Some(
            stmt(
                "INSERT INTO events (project_id, seq, type, version, task_id, actor, at, data)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
            )
            .bind(project)
            .bind(first)
            .bind(&event.kind)
            .bind(event.version)
            .bind(task)
            .bind(actor)
            .bind(event.at)
            .bind(json(&event.data)?),
        ),
        several => {
            let mut insert = Assembly::new(
                "INSERT INTO events (project_id, seq, type, version, task_id, actor, at, data) VALUES ",
            );
            for (place, event) in several.iter().enumerate() {
                let values = [
                    project.into(),
                    (first + count(place as u64)).into(),
                    (&event.kind).into(),
                    event.version.into(),
                    task.into(),
                    (&actor).into(),
                    event.at.into(),
                    json(&event.data)?.into(),
                ];
                insert.group(place == 0, values);
            }
            Some(insert.into_stmt()?)
        }
    })
}

/// How many projects one statement asks about; SQLite joins at most 500 parts.
const BATCH: usize = 100;

/// The events after a place in each of these projects, at most `limit` **of each**; in order within a project.
pub async fn after(
    db: &Db,
    places: &[(ProjectId, i64)],
    limit: u32,
) -> Result<Vec<EventRow>, StoreError> {
    let mut events = Vec::new();
    for batch in places.chunks(BATCH) {
        let mut select = Assembly::new("");
        for (place, (project, seen)) in batch.iter().enumerate() {
            select
                .text(if place == 0 { "" } else { " UNION ALL " })
                .text("SELECT * FROM (SELECT events.*, COALESCE(projects.ordinal, 0) AS ordinal FROM events")
                .text(" LEFT JOIN projects ON projects.id = events.project_id WHERE events.project_id = ")
                .value(*project)
                .text(" AND events.seq > ")
                .value(*seen)
                .text(" ORDER BY events.seq LIMIT ")
                .value(limit)
                .text(") AS part");
        }
        let rows = db.fetch_all(select.into_stmt()?).await?;
        for row in &rows {
            events.push(read(row)?);
        }
    }
    events.sort_by_key(|event| (event.ordinal, event.seq));
    Ok(events)
}

/// Everything that happened to a task.
pub async fn of_task(db: &Db, task: TaskId) -> Result<Vec<EventRow>, StoreError> {
    let rows = db.fetch_all(select_of_task(task)).await?;
    rows.iter().map(read).collect()
}

/// Everything that happened to a task, as the transaction sees it.
pub async fn of_task_in(tx: &mut Tx, task: TaskId) -> Result<Vec<EventRow>, StoreError> {
    let rows = tx.fetch_all(select_of_task(task)).await?;
    rows.iter().map(read).collect()
}

/// The sequence number of a project's last event; 0 if there is none.
pub async fn latest_seq(db: &Db, project: ProjectId) -> Result<i64, StoreError> {
    let select = stmt("SELECT event_seq FROM project_counters WHERE project_id = $1").bind(project);
    let row = db.fetch_optional(select).await?;
    row.map_or(Ok(0), |row| row.get("event_seq"))
}

/// Where a project's sequence stands for a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The project, or [`counters::NO_PROJECT`].
    pub project_id: ProjectId,
    /// The project's small number; 0 for no project.
    pub ordinal: i64,
    /// The reader may see what came after this number.
    pub since: i64,
    /// The number of the last event.
    pub last: i64,
}

/// Where the sequence of every project stands, with no project first.
pub async fn heads(db: &Db) -> Result<Vec<Head>, StoreError> {
    let select = stmt(
        "SELECT project_counters.project_id AS project_id, COALESCE(projects.ordinal, 0) AS ordinal,
                CAST(0 AS BIGINT) AS since_seq, project_counters.event_seq AS event_seq
         FROM project_counters LEFT JOIN projects ON projects.id = project_counters.project_id
         ORDER BY ordinal",
    );
    db.fetch_all(select).await?.iter().map(read_head).collect()
}

/// The same of what a person may see: no project, and the projects they are a member of, since they are.
pub async fn heads_of_member(db: &Db, user: UserId) -> Result<Vec<Head>, StoreError> {
    let select = stmt(
        "SELECT project_id, CAST(0 AS BIGINT) AS ordinal, CAST(0 AS BIGINT) AS since_seq, event_seq
         FROM project_counters WHERE project_id = $1
         UNION ALL
         SELECT project_counters.project_id, projects.ordinal, project_members.since_seq, project_counters.event_seq
         FROM project_members
         JOIN projects ON projects.id = project_members.project_id
         JOIN project_counters ON project_counters.project_id = project_members.project_id
         WHERE project_members.user_id = $2
         ORDER BY ordinal",
    );
    let rows = db.fetch_all(select.bind(counters::NO_PROJECT).bind(user)).await?;
    rows.iter().map(read_head).collect()
}

fn read_head(row: &DbRow) -> Result<Head, StoreError> {
    Ok(Head {
        project_id: row.parse("project_id")?,
        ordinal: row.get("ordinal")?,
        since: row.get("since_seq")?,
        last: row.get("event_seq")?,
    })
}

fn select_of_task(task: TaskId) -> Stmt {
    stmt(
        "SELECT events.*, COALESCE(projects.ordinal, 0) AS ordinal FROM events
         LEFT JOIN projects ON projects.id = events.project_id WHERE events.task_id = $1 ORDER BY events.seq",
    )
    .bind(task)
}

fn read(row: &DbRow) -> Result<EventRow, StoreError> {
    Ok(EventRow {
        project_id: row.parse("project_id")?,
        ordinal: row.get("ordinal")?,
        seq: row.get("seq")?,
        kind: row.get("type")?,
        task_id: row.maybe_parse("task_id")?,
        actor: row.json("actor")?,
        at: row.at("at")?,
        data: row.json("data")?,
        version: row.get("version")?,
    })
}
