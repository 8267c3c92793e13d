//! Comments on tasks (T-21). The projection writes the rows from events.

use forge_domain::{Actor, CommentId, TaskId, Timestamp};

use crate::cursor::PageCursor;
use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::json;
use crate::tables::page::{ListOrder, PageRequest, SortKey};
use crate::tx::Tx;

/// A comment on a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentRow {
    pub id: CommentId,
    pub task_id: TaskId,
    /// Position among the task's comments, from 1; assigned on insert.
    pub position: i64,
    /// The comment it answers.
    pub parent_id: Option<CommentId>,
    pub author: Actor,
    /// Text in Markdown.
    pub body: String,
    pub at: Timestamp,
}

/// Sort order of [`list_of_task`]: by position.
pub const ORDER: ListOrder = ListOrder::new("position", &[SortKey::Int]);

/// Loads one comment.
pub async fn load(db: &Db, id: CommentId) -> Result<Option<CommentRow>, StoreError> {
    let select = stmt("SELECT * FROM comments WHERE id = $1").bind(id);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// Lists a task's comments in [`ORDER`].
pub async fn list_of_task(
    db: &Db,
    task: TaskId,
    page: &PageRequest,
) -> Result<(Vec<CommentRow>, Option<PageCursor>), StoreError> {
    let select = stmt(
        "SELECT * FROM comments WHERE task_id = $1 AND position > $2 ORDER BY position LIMIT $3",
    )
    .bind(task)
    .bind(ORDER.start_or(page, 0_i64.into())?)
    .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let comments = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.split_page(comments, |last: &CommentRow| ORDER.after([last.position.into()])))
}

pub(crate) async fn insert(
    tx: &mut Tx,
    task: TaskId,
    id: CommentId,
    parent: Option<CommentId>,
    author: &Actor,
    body: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO comments (id, task_id, position, parent_id, author, body, at)
         VALUES ($1, $2, (SELECT COALESCE(MAX(position), 0) + 1 FROM comments WHERE task_id = $2), $3, $4, $5, $6)",
    )
    .bind(id)
    .bind(task)
    .bind(parent)
    .bind(json(author)?)
    // Stored as JSON, because PostgreSQL cannot store a NUL character, which the text may contain.
    .bind(json(body)?)
    .bind(at);
    tx.execute(insert).await?;
    Ok(())
}

fn read(row: &DbRow) -> Result<CommentRow, StoreError> {
    Ok(CommentRow {
        id: row.parse("id")?,
        task_id: row.parse("task_id")?,
        position: row.get("position")?,
        parent_id: row.maybe_parse("parent_id")?,
        author: row.json("author")?,
        body: row.json("body")?,
        at: row.at("at")?,
    })
}
