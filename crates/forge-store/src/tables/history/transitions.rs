//! State transitions of tasks, for audits (T-10). The projection writes the rows from events.

use forge_domain::workflow::StateName;
use forge_domain::{Actor, TaskId, Timestamp};

use crate::cursor::PageCursor;
use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::json;
use crate::tables::page::{ListOrder, PageRequest, SortKey};
use crate::tx::Tx;

/// One transition of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransitionRow {
    /// Position among the task's transitions, from 1.
    pub id: i64,
    pub task_id: TaskId,
    /// The state before.
    pub from_state: StateName,
    /// The state after.
    pub to_state: StateName,
    /// The actor of the transition.
    pub actor: Actor,
    /// Whether a gate sent the task back.
    pub rejection: bool,
    pub reason: Option<String>,
    pub at: Timestamp,
}

/// Sort order of [`list_of_task`]: by position.
pub const ORDER: ListOrder = ListOrder::new("seq", &[SortKey::Int]);

/// Lists a task's transitions in [`ORDER`].
pub async fn list_of_task(
    db: &Db,
    task: TaskId,
    page: &PageRequest,
) -> Result<(Vec<TransitionRow>, Option<PageCursor>), StoreError> {
    let select =
        stmt("SELECT * FROM transitions WHERE task_id = $1 AND seq > $2 ORDER BY seq LIMIT $3")
            .bind(task)
            .bind(ORDER.start_or(page, i64::MIN.into())?)
            .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let transitions = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.split_page(transitions, |last: &TransitionRow| ORDER.after([last.id.into()])))
}

/// The transition as an event describes it.
pub(crate) struct StateMove<'e> {
    pub(crate) from: &'e StateName,
    pub(crate) to: &'e StateName,
    pub(crate) rejection: bool,
    pub(crate) reason: Option<&'e str>,
}

/// Appends a transition to the task's existing ones. The task must be locked.
pub(crate) async fn insert(
    tx: &mut Tx,
    task: TaskId,
    moved: &StateMove<'_>,
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
    // Stored as JSON, because PostgreSQL cannot store a NUL character, which the text may contain.
    .bind(json(&moved.reason)?)
    .bind(at);
    tx.execute(insert).await?;
    Ok(())
}

fn read(row: &DbRow) -> Result<TransitionRow, StoreError> {
    Ok(TransitionRow {
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
