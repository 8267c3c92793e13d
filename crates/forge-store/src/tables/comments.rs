//! Notes on tasks (T-21). Rows are written from events by [`super::projection`].

use forge_domain::{Actor, CommentId, TaskId, Timestamp};

use super::column::json;
use super::page::{Key, Order, Page};
use crate::cursor::Cursor;
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;

/// A note on a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Its identity.
    pub id: CommentId,
    /// The task.
    pub task_id: TaskId,
    /// Its place among the task's, from 1; given when it is written.
    pub position: i64,
    /// The comment it answers.
    pub parent_id: Option<CommentId>,
    /// Who wrote it.
    pub author: Actor,
    /// Markdown.
    pub body: String,
    /// When.
    pub at: Timestamp,
}

/// The order of [`list_of_task`]: as they were written.
pub const ORDER: Order = Order::new("position", &[Key::Int]);

/// One comment.
pub async fn load(db: &Db, id: CommentId) -> Result<Option<Comment>, StoreError> {
    let select = stmt("SELECT * FROM comments WHERE id = $1").bind(id);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// A task's comments, in [`ORDER`].
pub async fn list_of_task(
    db: &Db,
    task: TaskId,
    page: &Page,
) -> Result<(Vec<Comment>, Option<Cursor>), StoreError> {
    let select = stmt(
        "SELECT * FROM comments WHERE task_id = $1 AND position > $2 ORDER BY position LIMIT $3",
    )
    .bind(task)
    .bind(ORDER.start_or(page, 0_i64.into())?)
    .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let comments = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.cut(comments, |last: &Comment| ORDER.after([last.position.into()])))
}

pub(super) async fn insert(
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
    // As JSON: a person's text may hold a NUL character, which PostgreSQL cannot store.
    .bind(json(body)?)
    .bind(at);
    tx.execute(insert).await?;
    Ok(())
}

fn read(row: &DbRow) -> Result<Comment, StoreError> {
    Ok(Comment {
        id: row.parse("id")?,
        task_id: row.parse("task_id")?,
        position: row.get("position")?,
        parent_id: row.maybe_parse("parent_id")?,
        author: row.json("author")?,
        body: row.json("body")?,
        at: row.at("at")?,
    })
}
