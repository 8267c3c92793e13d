//! Attempts of tasks at gates. Rows are written from events by [`super::projection`].

use forge_domain::{Assignee, CheckResult, ReceiptOrigin, ReviewId, TaskId, Timestamp, Verdict};
use serde::{Deserialize, Serialize};

use super::column::{json, word};
use crate::db::Db;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;

/// One attempt of a task at a gate (M-2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Review {
    /// Its identity.
    pub id: ReviewId,
    /// The task.
    pub task_id: TaskId,
    /// Counts the attempts of the task.
    pub attempt: u32,
    /// How it stands.
    pub status: ReviewStatus,
    /// The commit that was checked.
    pub commit: Option<String>,
    /// The results of the checks, in order.
    pub results: Vec<CheckResult>,
    /// The run that the results were taken from, if they are not its own.
    pub taken_from: Option<ReceiptOrigin>,
    /// The gate's decision.
    pub verdict: Option<Verdict>,
    /// Whether it counts against the gate's attempts (M-4).
    pub counted: bool,
    /// Who decided, if it was not the checks alone.
    pub decided: Option<Decided>,
    /// When it began.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// Somebody's word about an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// Whose.
    pub by: Assignee,
    /// What they said, where it is not the verdict's own feedback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it stands against the gate's verdict.
    pub overrides: bool,
    /// When.
    pub at: Timestamp,
}

/// How an attempt ended.
pub(super) struct Outcome<'a> {
    pub(super) verdict: Option<&'a Verdict>,
    /// How it stands if there is no verdict.
    pub(super) without: ReviewStatus,
    pub(super) counted: bool,
    pub(super) by: Option<Assignee>,
}

/// How a review stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewStatus {
    /// Checks run, or the verdict is waited for.
    Running,
    /// The gate let the task through.
    Passed,
    /// The gate sent the task back.
    Failed,
    /// Nobody could judge.
    Blocked,
    /// The task left the gate before there was a verdict.
    Superseded,
}

/// One review.
pub async fn load(db: &Db, id: ReviewId) -> Result<Option<Review>, StoreError> {
    let select = stmt("SELECT * FROM reviews WHERE id = $1").bind(id);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// A task's reviews, the first attempt first.
pub async fn list_of_task(db: &Db, task: TaskId) -> Result<Vec<Review>, StoreError> {
    let select = stmt("SELECT * FROM reviews WHERE task_id = $1 ORDER BY attempt").bind(task);
    db.fetch_all(select).await?.iter().map(read).collect()
}

pub(super) async fn started(
    tx: &mut Tx,
    task: TaskId,
    id: ReviewId,
    attempt: u32,
    at: Timestamp,
) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO reviews (id, task_id, attempt, status, results, started_at) VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(id)
    .bind(task)
    .bind(attempt)
    .bind(word(ReviewStatus::Running)?)
    .bind("[]")
    .bind(at);
    tx.execute(insert).await?;
    Ok(())
}

pub(super) async fn checked(
    tx: &mut Tx,
    id: ReviewId,
    commit: &str,
    results: &[CheckResult],
    taken_from: Option<&ReceiptOrigin>,
) -> Result<(), StoreError> {
    let update =
        stmt("UPDATE reviews SET commit_id = $2, results = $3, taken_from = $4 WHERE id = $1")
            .bind(id)
            .bind(commit)
            .bind(json(results)?)
            .bind(taken_from.map(json).transpose()?);
    tx.execute(update).await?;
    Ok(())
}

pub(super) async fn finished(
    tx: &mut Tx,
    id: ReviewId,
    outcome: &Outcome<'_>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let Outcome { verdict, without, counted, by } = *outcome;
    let status = match verdict {
        Some(Verdict::Pass { .. }) => ReviewStatus::Passed,
        Some(Verdict::Fail { .. }) => ReviewStatus::Failed,
        Some(Verdict::Blocked { .. }) => ReviewStatus::Blocked,
        None => without,
    };
    let decided = by.map(|by| Decided { by, reason: None, overrides: false, at });
    let update = stmt(
        "UPDATE reviews SET status = $2, verdict = $3, finished_at = $4, counted = $5, decided_by = $6 WHERE id = $1",
    )
    .bind(id)
    .bind(word(status)?)
    .bind(verdict.map(json).transpose()?)
    .bind(at)
    .bind(counted)
    .bind(decided.as_ref().map(json).transpose()?);
    tx.execute(update).await?;
    Ok(())
}

/// A person stands for an attempt that was over: it passed, and what the gate had said stays on record.
pub(super) async fn approved(
    tx: &mut Tx,
    task: TaskId,
    attempt: u32,
    decided: &Decided,
) -> Result<(), StoreError> {
    let update =
        stmt("UPDATE reviews SET status = $3, decided_by = $4 WHERE task_id = $1 AND attempt = $2")
            .bind(task)
            .bind(attempt)
            .bind(word(ReviewStatus::Passed)?)
            .bind(json(decided)?);
    tx.execute(update).await?;
    Ok(())
}

fn read(row: &DbRow) -> Result<Review, StoreError> {
    Ok(Review {
        id: row.parse("id")?,
        task_id: row.parse("task_id")?,
        attempt: row.count("attempt")?,
        status: row.word("status")?,
        commit: row.get("commit_id")?,
        results: row.json("results")?,
        taken_from: row.maybe_json("taken_from")?,
        verdict: row.maybe_json("verdict")?,
        counted: row.get("counted")?,
        decided: row.maybe_json("decided_by")?,
        started_at: row.at("started_at")?,
        finished_at: row.maybe_at("finished_at")?,
    })
}
