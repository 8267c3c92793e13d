//! The audited moves of tasks (T-10). Rows are written from events by [`super::projection`].

use forge_domain::workflow::StateName;
use forge_domain::{Actor, TaskId, Timestamp};

use super::column::json;
use super::page::{Key, Order, Page};
use crate::cursor::Cursor;
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;

/// One change of a task's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Its place among the task's, from 1.
    pub id: i64,
    /// The task.
    pub task_id: TaskId,
    /// The state before.
    pub from_state: StateName,
    /// The state after.
    pub to_state: StateName,
    /// Who did it.
    pub actor: Actor,
    /// Whether a gate sent the task back.
    pub rejection: bool,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// The order of [`list_of_task`]: as they happened.
pub const ORDER: Order = Order::new("seq", &[Key::Int]);

/// A task's transitions, in [`ORDER`].
pub async fn list_of_task(
    db: &Db,
    task: TaskId,
    page: &Page,
) -> Result<(Vec<Transition>, Option<Cursor>), StoreError> {
    let select =
        stmt("SELECT * FROM transitions WHERE task_id = $1 AND seq > $2 ORDER BY seq LIMIT $3")
            .bind(task)
            .bind(ORDER.start_or(page, i64::MIN.into())?)
            .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let transitions = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.cut(transitions, |last: &Transition| ORDER.after([last.id.into()])))
}

/// What an event says of a move.
pub(super) struct Moved<'e> {
    pub(super) from: &'e StateName,
    pub(super) to: &'e StateName,
    pub(super) rejection: bool,
    pub(super) reason: Option<&'e str>,
}

/// Writes a move after all that the task already has. The task must be locked.
pub(super) async fn insert(
    tx: &mut Tx,
    task: TaskId,
    moved: &Moved<'_>,
    actor: &Actor,
    at: Timestamp,
) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO transitions (task_id, seq, from_state, to_state, actor, rejection, reason, at)
         VALUES ($1, (SELECT COALESCE(MAX(seq), 0) + 1 FROM transitions WHERE task_id = $1),
                 $2, $3, $4, $5, $6, $7)",
    )
    .bind(task)
    .bind(moved.from)
    .bind(moved.to)
    .bind(json(actor)?)
    .bind(moved.rejection)
    // As JSON: a person's text may hold a NUL character, which PostgreSQL cannot store.
    .bind(json(&moved.reason)?)
    .bind(at);
    tx.execute(insert).await?;
    Ok(())
}

fn read(row: &DbRow) -> Result<Transition, StoreError> {
    Ok(Transition {
        id: row.get("seq")?,
        task_id: row.parse("task_id")?,
        from_state: StateName::new(row.get::<String>("from_state")?),
        to_state: StateName::new(row.get::<String>("to_state")?),
        actor: row.json("actor")?,
        rejection: row.get("rejection")?,
        reason: row.json("reason")?,
        at: row.at("at")?,
    })
}
