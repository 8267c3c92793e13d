//! Durable steps (M-1): what must be done to the world, who is doing it, and until when nobody else may.

use forge_domain::task::Snapshot;
use forge_domain::{AgentId, Effect, EffectId, Lane, PlannedEffect, ProjectId, TaskId, Timestamp};
use serde::{Deserialize, Serialize};

use super::column::{count, json, word};
use crate::db::Db;
use crate::dialect::RowLock;
use crate::errors::StoreError;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::tx::Tx;
use crate::wake::Channel;

/// A durable step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectRow {
    /// Its identity.
    pub id: EffectId,
    /// The task that wants it.
    pub task_id: TaskId,
    /// The task's project.
    pub project_id: ProjectId,
    /// It waits for what is open before it in the same lane of the same task.
    pub lane: Lane,
    /// Its place among the task's, from 1.
    pub position: i64,
    /// What to do.
    pub effect: Effect,
    /// The task's visit that wanted it.
    pub visit: u64,
    /// Whether it is still to be done.
    pub open: bool,
    /// How it ended.
    pub ending: Option<EffectEnding>,
    /// How often it was begun.
    pub attempts: u32,
    /// How often in a row it failed.
    pub failures: u32,
    /// Not earlier than this.
    pub not_before: Timestamp,
    /// Who is at it.
    pub lease_node: Option<String>,
    /// Until when nobody else may be.
    pub lease_until: Option<Timestamp>,
    /// Counts the leases; a holder with an older number is refused.
    pub fence: i64,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// What its holder wrote down before it acted.
    pub journal: Option<String>,
    /// When it was wanted.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// How an effect ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectEnding {
    /// It was done.
    Finished,
    /// The task moved on before it had begun.
    Superseded,
    /// It cannot be done.
    Failed,
}

macro_rules! nothing_before {
    () => {
        "NOT EXISTS (SELECT 1 FROM effects AS earlier
                     WHERE earlier.open AND earlier.task_id = effects.task_id AND earlier.lane = effects.lane
                       AND earlier.position < effects.position)"
    };
}

/// Not of a task that is on another node's machine, or that node is dead: nothing was heard of it for as long as a lease
/// lasts.
macro_rules! within_reach {
    ($node:literal, $now:literal, $until:literal) => {
        concat!(
            "NOT EXISTS (SELECT 1 FROM nodes
                         WHERE nodes.id = (SELECT latest.node FROM effects AS latest
                                           WHERE latest.task_id = effects.task_id AND latest.node IS NOT NULL
                                           ORDER BY latest.position DESC LIMIT 1)
                           AND nodes.id <> ",
            $node,
            " AND nodes.beat_at > 2 * ",
            $now,
            " - ",
            $until,
            ")"
        )
    };
}

pub(crate) const DUE: &str = concat!(
    "SELECT effects.* FROM effects WHERE effects.open AND effects.due_at <= $1 AND ",
    nothing_before!(),
    " AND ",
    within_reach!("$3", "$1", "$4"),
    " ORDER BY effects.due_at, effects.id LIMIT $2"
);

pub(crate) const NEXT_DUE_AT: &str = concat!(
    "SELECT effects.due_at AS due_at FROM effects WHERE effects.open AND ",
    nothing_before!(),
    " ORDER BY effects.due_at, effects.id LIMIT 1"
);

pub(crate) const LEASE: &str = concat!(
    "UPDATE effects SET attempts = attempts + 1, fence = fence + 1, lease_node = $2, lease_until = $4, due_at = $4,
                        node = $2
     WHERE id = $1 AND open AND due_at <= $3 AND ",
    nothing_before!(),
    " AND ",
    within_reach!("$2", "$3", "$4"),
    " RETURNING *"
);

/// Who carries out steps, from this moment on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taker {
    /// The node.
    pub node: String,
    /// Now.
    pub now: Timestamp,
    /// Until when nobody else may do what it takes now.
    pub until: Timestamp,
}

/// Writes what a decision wants done, after all that the task already has. The task must be locked. Whoever carries out
/// steps takes what can be begun at once in the same transaction, and has it answered; the others are woken for the
/// rest.
pub async fn plan(
    tx: &mut Tx,
    task: &Snapshot,
    effects: &[PlannedEffect],
    taker: Option<&Taker>,
) -> Result<Vec<EffectRow>, StoreError> {
    let mut taken = Vec::new();
    for planned in effects {
        let effect = &planned.effect;
        let insert = stmt(
            "INSERT INTO effects (id, task_id, project_id, lane, position, kind, payload, yields, visit, open,
                                  attempts, failures, not_before, due_at, fence, created_at)
             VALUES ($1, $2, $3, $4, (SELECT COALESCE(MAX(position), 0) + 1 FROM effects WHERE task_id = $2),
                     $5, $6, $7, $8, TRUE, 0, 0, $9, $9, 0, $10)",
        )
        .bind(planned.id)
        .bind(task.id)
        .bind(task.project_id)
        .bind(word(effect.lane())?)
        .bind(effect.name())
        .bind(json(effect)?)
        .bind(planned.yields_to_a_move(task.updated_at))
        .bind(count(task.visit))
        .bind(planned.not_before)
        .bind(task.updated_at);
        tx.execute(insert).await?;
        if let Some(Taker { node, now, until }) =
            taker.filter(|taker| planned.not_before <= taker.now)
        {
            taken.extend(lease(tx, planned.id, node, *now, *until).await?);
        }
    }
    if taken.len() < effects.len() {
        wake(tx);
    }
    Ok(taken)
}

/// Closes what has lost its point: open, yielding to a move, and held by nobody. Answers how many.
pub async fn supersede(tx: &mut Tx, task: TaskId, now: Timestamp) -> Result<u64, StoreError> {
    let update = stmt(
        "UPDATE effects SET open = FALSE, ending = $3, finished_at = $2, fence = fence + 1, lease_node = NULL,
                            lease_until = NULL
         WHERE task_id = $1 AND open AND yields AND (lease_until IS NULL OR lease_until <= $2)",
    )
    .bind(task)
    .bind(now)
    .bind(word(EffectEnding::Superseded)?);
    let closed = tx.execute(update).await?;
    if closed > 0 {
        wake(tx);
    }
    Ok(closed)
}

/// What a node can begin now: due, held by nobody, first in its lane, and of no task that is on the machine of another
/// living node.
pub async fn due(db: &Db, by: &Taker, limit: u32) -> Result<Vec<EffectRow>, StoreError> {
    let Taker { node, now, until } = by;
    let select = stmt(DUE).bind(*now).bind(limit).bind(node).bind(*until);
    let rows = db.fetch_all(select).await?;
    rows.iter().map(read).collect()
}

/// When [`due`] will next have something for somebody, if nothing else happens.
pub async fn next_due_at(db: &Db) -> Result<Option<Timestamp>, StoreError> {
    db.fetch_optional(stmt(NEXT_DUE_AT)).await?.map(|row| row.at("due_at")).transpose()
}

/// Takes an effect for a node, and answers it as it is now: with the number by which the node proves its lease, and
/// with what an earlier holder may have written down. `None` if somebody was faster, or if its task is on the machine of
/// another living node.
pub async fn lease(
    tx: &mut Tx,
    id: EffectId,
    node: &str,
    now: Timestamp,
    until: Timestamp,
) -> Result<Option<EffectRow>, StoreError> {
    let update = stmt(LEASE).bind(id).bind(node).bind(now).bind(until);
    tx.fetch_optional(update).await?.as_ref().map(read).transpose()
}

/// Lets an effect that a node holds last until then. False if the node holds it no longer.
pub async fn extend(
    tx: &mut Tx,
    id: EffectId,
    node: &str,
    until: Timestamp,
) -> Result<bool, StoreError> {
    let update = stmt(
        "UPDATE effects SET lease_until = $3, due_at = $3 WHERE id = $1 AND open AND lease_node = $2",
    );
    Ok(tx.execute(update.bind(id).bind(node).bind(until)).await? == 1)
}

/// Whether the lease with this number still stands; if so, it does until the transaction ends.
pub async fn holds(tx: &mut Tx, id: EffectId, fence: i64) -> Result<bool, StoreError> {
    let select = stmt(
        "SELECT fence FROM effects WHERE id = $1 AND fence = $2 AND open AND lease_node IS NOT NULL",
    );
    let select = select.bind(id).bind(fence).lock_rows(RowLock::Update);
    Ok(tx.fetch_optional(select).await?.is_some())
}

/// Writes down what the holder is about to do, for whoever takes the effect up after it. False, and nothing changed, if
/// the lease with this number no longer stands.
pub async fn note(
    tx: &mut Tx,
    id: EffectId,
    fence: i64,
    journal: &str,
) -> Result<bool, StoreError> {
    let update = stmt(
        "UPDATE effects SET journal = $3 WHERE id = $1 AND fence = $2 AND open AND lease_node IS NOT NULL",
    );
    Ok(tx.execute(update.bind(id).bind(fence).bind(journal)).await? == 1)
}

/// Closes an effect. False, and nothing changed, if the lease with this number no longer stands.
pub async fn finish(
    tx: &mut Tx,
    id: EffectId,
    fence: i64,
    ending: EffectEnding,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let update = stmt(
        "UPDATE effects SET open = FALSE, ending = $3, finished_at = $4, lease_node = NULL, lease_until = NULL
         WHERE id = $1 AND fence = $2 AND open AND lease_node IS NOT NULL",
    )
    .bind(id)
    .bind(fence)
    .bind(word(ending)?)
    .bind(now);
    let done = tx.execute(update).await? == 1;
    if done {
        wake(tx);
    }
    Ok(done)
}

/// Why an effect is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry<'e> {
    /// It failed; too many in a row are a person's business.
    Failed(&'e str),
    /// It works as it should, and has to wait for something.
    Waits(&'e str),
    /// The same, and from now on it has lost its point when the task moves on.
    Yields(&'e str),
}

/// Gives an effect back to be tried again later. False, and nothing changed, if the lease with this number no longer
/// stands.
pub async fn retry_at(
    tx: &mut Tx,
    id: EffectId,
    fence: i64,
    why: Retry<'_>,
    not_before: Timestamp,
) -> Result<bool, StoreError> {
    let (failed, yields, error) = match why {
        Retry::Failed(error) => (true, false, error),
        Retry::Waits(error) => (false, false, error),
        Retry::Yields(error) => (false, true, error),
    };
    let update = stmt(
        "UPDATE effects SET not_before = $4, due_at = $4, last_error = $3, fence = fence + 1, lease_node = NULL,
                            lease_until = NULL, failures = CASE WHEN $5 THEN failures + 1 ELSE 0 END,
                            yields = (yields OR $6)
         WHERE id = $1 AND fence = $2 AND open AND lease_node IS NOT NULL",
    )
    .bind(id)
    .bind(fence)
    // PostgreSQL cannot store NUL, and an error may quote anything.
    .bind(error.replace('\0', "\u{fffd}"))
    .bind(not_before)
    .bind(failed)
    .bind(yields);
    let done = tx.execute(update).await? == 1;
    if done {
        wake(tx);
    }
    Ok(done)
}

/// Lets those begin now that would wait for longer: steps of a project that wait for its budget. Answers how many.
pub async fn hasten_budget(
    tx: &mut Tx,
    project: ProjectId,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let update = stmt(
        "UPDATE effects SET not_before = $2, due_at = $2
         WHERE open AND due_at > $2 AND lease_node IS NULL AND kind = 'await_budget' AND project_id = $1",
    );
    let hastened = tx.execute(update.bind(project).bind(now)).await?;
    if hastened > 0 {
        wake(tx);
    }
    Ok(hastened)
}

/// The same for those that wait for the allowance of an agent.
pub async fn hasten_quota(tx: &mut Tx, agent: AgentId, now: Timestamp) -> Result<u64, StoreError> {
    let update = stmt(
        "UPDATE effects SET not_before = $2, due_at = $2
         WHERE open AND due_at > $2 AND lease_node IS NULL AND kind = 'await_quota' AND payload = $1",
    );
    let hastened = tx.execute(update.bind(json(&Effect::AwaitQuota { agent })?).bind(now)).await?;
    if hastened > 0 {
        wake(tx);
    }
    Ok(hastened)
}

/// The same for the landing of a task that waits for something elsewhere.
pub async fn hasten_landing(tx: &mut Tx, task: TaskId, now: Timestamp) -> Result<u64, StoreError> {
    let update = stmt(
        "UPDATE effects SET not_before = $2, due_at = $2
         WHERE open AND due_at > $2 AND lease_node IS NULL AND kind = 'land' AND task_id = $1",
    );
    let hastened = tx.execute(update.bind(task).bind(now)).await?;
    if hastened > 0 {
        wake(tx);
    }
    Ok(hastened)
}

/// Ends the leases of this node's earlier life, at its start. Answers how many.
pub async fn release_node(tx: &mut Tx, node: &str) -> Result<u64, StoreError> {
    let update = stmt(
        "UPDATE effects SET lease_node = NULL, lease_until = NULL, due_at = not_before, fence = fence + 1
         WHERE open AND node = $1 AND lease_node = $1",
    );
    let released = tx.execute(update.bind(node)).await?;
    if released > 0 {
        wake(tx);
    }
    Ok(released)
}

/// The open effects that a node was the last to take: those it holds, held when it died, or gave back since.
pub async fn list_taken_by(db: &Db, node: &str) -> Result<Vec<EffectRow>, StoreError> {
    let select = stmt("SELECT * FROM effects WHERE open AND node = $1 ORDER BY id").bind(node);
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// What other living nodes are at for a project, in the order it was wanted.
pub async fn list_held_elsewhere(
    db: &Db,
    project: ProjectId,
    node: &str,
    now: Timestamp,
) -> Result<Vec<EffectRow>, StoreError> {
    let select = stmt(
        "SELECT * FROM effects
         WHERE open AND lease_node IS NOT NULL AND lease_node <> $2 AND lease_until > $3 AND project_id = $1
         ORDER BY created_at, id",
    );
    let rows = db.fetch_all(select.bind(project).bind(node).bind(now)).await?;
    rows.iter().map(read).collect()
}

/// A task's effects in the order they were wanted.
pub async fn list_of_task(db: &Db, task: TaskId) -> Result<Vec<EffectRow>, StoreError> {
    let select = stmt("SELECT * FROM effects WHERE task_id = $1 ORDER BY position").bind(task);
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// What the holders of effects that are still to be done wrote down.
pub async fn open_journals(db: &Db) -> Result<Vec<String>, StoreError> {
    let select = stmt("SELECT journal FROM effects WHERE open AND journal IS NOT NULL");
    db.fetch_all(select).await?.iter().map(|row| row.get("journal")).collect()
}

/// How many effects are still to be done.
pub async fn count_open(db: &Db) -> Result<i64, StoreError> {
    let row = db.fetch_one(stmt("SELECT COUNT(*) AS waiting FROM effects WHERE open")).await?;
    row.get("waiting")
}

/// About all of them: one look at what is due finds everything, however many tasks changed.
fn wake(tx: &mut Tx) {
    tx.wake(Channel::Effects, "");
}

fn read(row: &DbRow) -> Result<EffectRow, StoreError> {
    Ok(EffectRow {
        id: row.parse("id")?,
        task_id: row.parse("task_id")?,
        project_id: row.parse("project_id")?,
        lane: row.word("lane")?,
        position: row.get("position")?,
        effect: row.json("payload")?,
        visit: row.count("visit")?,
        open: row.get("open")?,
        ending: row.maybe_word("ending")?,
        attempts: row.count("attempts")?,
        failures: row.count("failures")?,
        not_before: row.at("not_before")?,
        lease_node: row.get("lease_node")?,
        lease_until: row.maybe_at("lease_until")?,
        fence: row.get("fence")?,
        last_error: row.get("last_error")?,
        journal: row.get("journal")?,
        created_at: row.at("created_at")?,
        finished_at: row.maybe_at("finished_at")?,
    })
}
