//! Events, in a sequence without gaps per project (S-2).

use forge_domain::{Actor, ProjectId, RecordedEvent, TaskId, Timestamp, UserId};

use std::collections::HashMap;

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::column::{count, json};
use crate::tables::history::counters;
use crate::tables::query_builder::QueryBuilder;
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// An event to append.
#[derive(Clone, Debug, PartialEq)]
pub struct NewEvent {
    /// Type of the event on the wire: `noun.verb`.
    pub kind: String,
    /// Version of the changed record after the event.
    pub version: i64,
    pub at: Timestamp,
    pub data: serde_json::Value,
}

impl NewEvent {
    /// Converts an event of a task.
    pub fn of_task(recorded: &RecordedEvent) -> Result<Self, StoreError> {
        let mut tagged = serde_json::to_value(&recorded.event).map_err(StoreError::statement)?;
        Ok(Self {
            kind: recorded.event.kind().0.to_owned(),
            version: recorded.version,
            at: recorded.at,
            data: tagged.get_mut("data").map_or(serde_json::Value::Null, serde_json::Value::take),
        })
    }
}

/// An event as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRow {
    /// Its project, or [`counters::NO_PROJECT`].
    pub project_id: ProjectId,
    /// Ordinal of the project; 0 for no project.
    pub ordinal: i64,
    /// Position in the project's sequence, from 1.
    pub seq: i64,
    /// Type of the event on the wire.
    pub kind: String,
    /// The task of the event, if any.
    pub task_id: Option<TaskId>,
    /// The actor that caused it.
    pub actor: Actor,
    pub at: Timestamp,
    pub data: serde_json::Value,
    /// Version of the changed record after the event.
    pub version: i64,
}

impl EventRow {
    /// Converts the row into an event of a task, for replay.
    pub fn recorded(self) -> Result<RecordedEvent, StoreError> {
        let mut tagged = serde_json::json!({ "type": self.kind });
        if !self.data.is_null()
            && let Some(tagged) = tagged.as_object_mut()
        {
            tagged.insert("data".to_owned(), self.data);
        }
        Ok(RecordedEvent {
            event: serde_json::from_value(tagged)
                .map_err(|error| StoreError::corrupt("data", error))?,
            at: self.at,
            version: self.version,
        })
    }
}

/// Appends events and returns the sequence number of the last.
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

/// Appends events at sequence numbers that [`counters::advance`] has reserved in this transaction.
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
        tx.wake(WakeChannel::Events, &project.to_string());
    }
    Ok(first + count(events.len() as u64) - 1)
}

fn insert(
    project: ProjectId,
    first: i64,
    actor: &Actor,
    task: Option<TaskId>,
    events: &[NewEvent],
) -> Result<Option<SqlStatement>, StoreError> {
    let actor = json(actor)?;
    Ok(match events {
        [] => None,
        // The most frequent case by far, and worth a prepared statement.
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
            let mut insert = QueryBuilder::new(
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
                insert.value_group(place == 0, values);
            }
            Some(insert.into_stmt())
        }
    })
}

/// Number of projects in one statement; SQLite joins at most 500 parts.
const BATCH: usize = 100;

/// The events after a position in each of these projects, at most `limit` **of each**; in order within a project.
pub async fn after(
    db: &Db,
    places: &[(ProjectId, i64)],
    limit: u32,
) -> Result<Vec<EventRow>, StoreError> {
    let mut events = Vec::new();
    for batch in places.chunks(BATCH) {
        let mut select = QueryBuilder::new("");
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
        let rows = db.fetch_all(select.into_stmt()).await?;
        for row in &rows {
            events.push(read(row)?);
        }
    }
    events.sort_by_key(|event| (event.ordinal, event.seq));
    Ok(events)
}

/// All events of a task.
pub async fn of_task(db: &Db, task: TaskId) -> Result<Vec<EventRow>, StoreError> {
    let rows = db.fetch_all(select_of_task(task)).await?;
    rows.iter().map(read).collect()
}

/// All events of a task, read inside the transaction.
pub async fn of_task_in(tx: &mut Tx, task: TaskId) -> Result<Vec<EventRow>, StoreError> {
    let rows = tx.fetch_all(select_of_task(task)).await?;
    rows.iter().map(read).collect()
}

/// Position of the last event of a type, for each of these tasks. A project's sequence is the order of its commits: an
/// event that is not visible here gets a higher number.
pub async fn last_places(
    db: &Db,
    tasks: &[TaskId],
    kind: &str,
) -> Result<HashMap<TaskId, i64>, StoreError> {
    let mut places = HashMap::new();
    for batch in tasks.chunks(BATCH) {
        let mut select =
            QueryBuilder::new("SELECT task_id, MAX(seq) AS seq FROM events WHERE type = ");
        select.value(kind).text(" AND task_id IN ");
        select.value_group(true, batch.iter().map(|task| (*task).into())).text(" GROUP BY task_id");
        for row in db.fetch_all(select.into_stmt()).await? {
            places.insert(row.parse("task_id")?, row.get("seq")?);
        }
    }
    Ok(places)
}

/// Sequence number of a project's last event; 0 if there is none.
pub async fn latest_seq(db: &Db, project: ProjectId) -> Result<i64, StoreError> {
    let select = stmt("SELECT event_seq FROM project_counters WHERE project_id = $1").bind(project);
    let row = db.fetch_optional(select).await?;
    row.map_or(Ok(0), |row| row.get("event_seq"))
}

/// Position of a reader in a project's sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceHead {
    /// The project, or [`counters::NO_PROJECT`].
    pub project_id: ProjectId,
    /// Ordinal of the project; 0 for no project.
    pub ordinal: i64,
    /// The reader may see events after this number.
    pub since: i64,
    /// The number of the last event.
    pub last: i64,
}

/// Position of every project's sequence; that of no project comes first.
pub async fn heads(db: &Db) -> Result<Vec<SequenceHead>, StoreError> {
    let select = stmt(
        "SELECT project_counters.project_id AS project_id, COALESCE(projects.ordinal, 0) AS ordinal,
                CAST(0 AS BIGINT) AS since_seq, project_counters.event_seq AS event_seq
         FROM project_counters LEFT JOIN projects ON projects.id = project_counters.project_id
         ORDER BY ordinal",
    );
    db.fetch_all(select).await?.iter().map(read_head).collect()
}

/// Same for a user: no project, and the user's projects since the user became a member.
pub async fn heads_of_member(db: &Db, user: UserId) -> Result<Vec<SequenceHead>, StoreError> {
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

fn read_head(row: &DbRow) -> Result<SequenceHead, StoreError> {
    Ok(SequenceHead {
        project_id: row.parse("project_id")?,
        ordinal: row.get("ordinal")?,
        since: row.get("since_seq")?,
        last: row.get("event_seq")?,
    })
}

fn select_of_task(task: TaskId) -> SqlStatement {
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
