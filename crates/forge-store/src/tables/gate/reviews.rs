//! Reviews: attempts of tasks at gates. The projection writes the rows from events.

use forge_domain::{Assignee, CheckResult, ReceiptOrigin, ReviewId, TaskId, Timestamp, Verdict};
use serde::{Deserialize, Serialize};

use crate::db::Db;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::{json, word};
use crate::tx::Tx;

/// One attempt of a task at a gate (M-2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewRow {
    pub id: ReviewId,
    pub task_id: TaskId,
    /// Number of the attempt.
    pub attempt: u32,
    pub status: ReviewRowStatus,
    /// The checked commit.
    pub commit: Option<String>,
    /// Results of the checks, in order.
    pub results: Vec<CheckResult>,
    /// The earlier run whose results were reused, if any.
    pub taken_from: Option<ReceiptOrigin>,
    /// Verdict of the gate.
    pub verdict: Option<Verdict>,
    /// Whether it counts against the gate's attempts (M-4).
    pub counted: bool,
    /// The decision of an agent or person, if the checks alone did not decide.
    pub decided: Option<AttemptDecision>,
    pub started_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// A decision about an attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptDecision {
    pub by: Assignee,
    /// The reason, if it differs from the verdict's feedback.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it overrides the gate's verdict.
    pub overrides: bool,
    pub at: Timestamp,
}

/// How an attempt ended.
pub(crate) struct ReviewConclusion<'a> {
    pub(crate) verdict: Option<&'a Verdict>,
    /// Status of the review if there is no verdict.
    pub(crate) status_without_verdict: ReviewRowStatus,
    pub(crate) counted: bool,
    pub(crate) by: Option<Assignee>,
}

/// Status of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewRowStatus {
    /// The checks are running, or the verdict is pending.
    Running,
    /// The gate passed the task.
    Passed,
    /// The gate sent the task back.
    Failed,
    /// The reviewer could not judge.
    Blocked,
    /// The work has no changes; a person decides.
    NoChanges,
    /// The task left the gate before a verdict.
    Superseded,
}

/// Loads one review.
pub async fn load(db: &Db, id: ReviewId) -> Result<Option<ReviewRow>, StoreError> {
    let select = stmt("SELECT * FROM reviews WHERE id = $1").bind(id);
    db.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// A task's reviews, the first attempt first.
pub async fn list_of_task(db: &Db, task: TaskId) -> Result<Vec<ReviewRow>, StoreError> {
    let select = stmt("SELECT * FROM reviews WHERE task_id = $1 ORDER BY attempt").bind(task);
    db.fetch_all(select).await?.iter().map(read).collect()
}

pub(crate) async fn record_started(
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
    .bind(word(ReviewRowStatus::Running)?)
    .bind("[]")
    .bind(at);
    tx.execute(insert).await?;
    Ok(())
}

pub(crate) async fn record_checked(
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

pub(crate) async fn record_finished(
    tx: &mut Tx,
    id: ReviewId,
    outcome: &ReviewConclusion<'_>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let ReviewConclusion { verdict, status_without_verdict: without, counted, by } = *outcome;
    let status = match verdict {
        Some(Verdict::Pass { .. }) => ReviewRowStatus::Passed,
        Some(Verdict::Fail { .. }) => ReviewRowStatus::Failed,
        Some(Verdict::Blocked { .. }) => ReviewRowStatus::Blocked,
        None => without,
    };
    let decided = by.map(|by| AttemptDecision { by, reason: None, overrides: false, at });
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

/// Records that a person approved an ended attempt. The status becomes passed, and the gate's verdict stays stored.
pub(crate) async fn record_approved(
    tx: &mut Tx,
    task: TaskId,
    attempt: u32,
    decided: &AttemptDecision,
) -> Result<(), StoreError> {
    let update =
        stmt("UPDATE reviews SET status = $3, decided_by = $4 WHERE task_id = $1 AND attempt = $2")
            .bind(task)
            .bind(attempt)
            .bind(word(ReviewRowStatus::Passed)?)
            .bind(json(decided)?);
    tx.execute(update).await?;
    Ok(())
}

fn read(row: &DbRow) -> Result<ReviewRow, StoreError> {
    Ok(ReviewRow {
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
