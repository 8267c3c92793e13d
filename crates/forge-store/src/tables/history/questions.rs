//! Questions on tasks and their answers (T-27). The projection writes the rows from events.

use forge_domain::task::OpenQuestion;
use forge_domain::{Actor, ExecutionId, TaskId, Timestamp};

use crate::cursor::PageCursor;
use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::json;
use crate::tables::page::{ListOrder, PageRequest, SortKey};
use crate::tx::Tx;

/// A question on a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionRow {
    pub task_id: TaskId,
    /// Number within the task, from 1.
    pub number: u32,
    /// Text of the question.
    pub text: String,
    pub asked_by: Actor,
    /// The execution that asked it; for a person's question the task's last one.
    pub execution_id: Option<ExecutionId>,
    pub asked_at: Timestamp,
    /// The answer, if there is one.
    pub answer: Option<QuestionAnswer>,
    /// Since when it is closed without an answer.
    pub closed_at: Option<Timestamp>,
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QuestionAnswer {
    /// Text of the answer.
    pub text: String,
    pub by: Actor,
    pub at: Timestamp,
}

/// Sort order of [`list_of_task`]: by number.
pub const ORDER: ListOrder = ListOrder::new("number", &[SortKey::Int]);

/// Loads one question of a task.
pub async fn load(db: &Db, task: TaskId, number: u32) -> Result<Option<QuestionRow>, StoreError> {
    let select = stmt("SELECT * FROM questions WHERE task_id = $1 AND number = $2");
    let select = select.bind(task).bind(i64::from(number));
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// Lists a task's questions in [`ORDER`].
pub async fn list_of_task(
    db: &Db,
    task: TaskId,
    page: &PageRequest,
) -> Result<(Vec<QuestionRow>, Option<PageCursor>), StoreError> {
    let select =
        stmt("SELECT * FROM questions WHERE task_id = $1 AND number > $2 ORDER BY number LIMIT $3")
            .bind(task)
            .bind(ORDER.start_or(page, 0_i64.into())?)
            .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let questions = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page
        .split_page(questions, |last: &QuestionRow| ORDER.after([i64::from(last.number).into()])))
}

pub(crate) async fn record_asked(
    tx: &mut Tx,
    task: TaskId,
    question: &OpenQuestion,
) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO questions (task_id, number, text, asked_by, execution_id, asked_at)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(task)
    .bind(i64::from(question.number))
    .bind(json(&question.text)?)
    .bind(json(&question.by)?)
    .bind(question.execution)
    .bind(question.at);
    tx.execute(insert).await?;
    Ok(())
}

pub(crate) async fn record_answered(
    tx: &mut Tx,
    task: TaskId,
    number: u32,
    answer: &QuestionAnswer,
) -> Result<(), StoreError> {
    let update = stmt(
        "UPDATE questions SET answer = $3, answered_by = $4, answered_at = $5
         WHERE task_id = $1 AND number = $2",
    )
    .bind(task)
    .bind(i64::from(number))
    .bind(json(&answer.text)?)
    .bind(json(&answer.by)?)
    .bind(answer.at);
    tx.execute(update).await?;
    Ok(())
}

pub(crate) async fn record_closed(
    tx: &mut Tx,
    task: TaskId,
    numbers: &[u32],
    at: Timestamp,
) -> Result<(), StoreError> {
    for number in numbers {
        let update = stmt("UPDATE questions SET closed_at = $3 WHERE task_id = $1 AND number = $2");
        tx.execute(update.bind(task).bind(i64::from(*number)).bind(at)).await?;
    }
    Ok(())
}

fn read(row: &DbRow) -> Result<QuestionRow, StoreError> {
    let answered: Option<Timestamp> = row.maybe_at("answered_at")?;
    let answer = match answered {
        Some(at) => {
            Some(QuestionAnswer { text: row.json("answer")?, by: row.json("answered_by")?, at })
        }
        None => None,
    };
    let number: i64 = row.get("number")?;
    Ok(QuestionRow {
        task_id: row.parse("task_id")?,
        // The domain counts in 32 bits.
        number: u32::try_from(number).unwrap_or(u32::MAX),
        text: row.json("text")?,
        asked_by: row.json("asked_by")?,
        execution_id: row.maybe_parse("execution_id")?,
        asked_at: row.at("asked_at")?,
        answer,
        closed_at: row.maybe_at("closed_at")?,
    })
}
