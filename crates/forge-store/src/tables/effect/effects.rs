//! Effects (M-1): what must be done, which node performs it, and until when its lease lasts.

use forge_domain::task::TaskSnapshot;
use forge_domain::{
    AgentId, Effect, EffectId, EffectLane, PlannedEffect, ProjectId, TaskId, Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::db::Db;
use crate::dialect::RowLock;
use crate::row::DbRow;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::column::{count, json, word};
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// A durable effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectRow {
    pub id: EffectId,
    /// The task that planned it.
    pub task_id: TaskId,
    /// The task's project.
    pub project_id: ProjectId,
    /// Lane of the effect: it waits for earlier open effects in the same lane of the same task.
    pub lane: EffectLane,
    /// Position among the task's effects, from 1.
    pub position: i64,
    pub effect: Effect,
    /// The task's visit in which it was planned.
    pub visit: u64,
    /// Whether it still has to be performed.
    pub open: bool,
    pub ending: Option<EffectEnding>,
    /// Number of times it was started.
    pub attempts: u32,
    /// Number of failures in a row.
    pub failures: u32,
    /// Earliest time at which it may start.
    pub not_before: Timestamp,
    /// The node that holds the lease.
    pub lease_node: Option<String>,
    /// End of the lease.
    pub lease_until: Option<Timestamp>,
    /// Number of the lease; a holder with an older number is refused.
    pub fence: i64,
    /// Error of the last attempt.
    pub last_error: Option<String>,
    /// Note that its holder wrote before it acted.
    pub journal: Option<String>,
    /// Time at which it was planned.
    pub created_at: Timestamp,
    pub finished_at: Option<Timestamp>,
}

/// How an effect ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EffectEnding {
    /// It was performed.
    Finished,
    /// The task moved on before it had started.
    Superseded,
    /// It cannot be performed.
    Failed,
}

macro_rules! nothing_before {
    () => {
        "NOT EXISTS (SELECT 1 FROM effects AS earlier
                     WHERE earlier.open AND earlier.task_id = effects.task_id AND earlier.lane = effects.lane
                       AND earlier.position < effects.position)"
    };
}

/// Excludes tasks on the machine of another node, unless that node is dead: it sent no heartbeat for the duration of a
/// lease.
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

/// A node's request for leases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseRequest {
    pub node: String,
    pub now: Timestamp,
    /// End of the leases that it takes now.
    pub until: Timestamp,
}

/// Stores the effects of a decision after the task's existing ones. The task must be locked. If a lease request is
/// given, effects that can start now are leased in the same transaction and returned; other nodes are woken for the
/// rest.
pub async fn insert_planned(
    tx: &mut Tx,
    task: &TaskSnapshot,
    effects: &[PlannedEffect],
    taker: Option<&LeaseRequest>,
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
        if let Some(LeaseRequest { node, now, until }) =
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

/// Closes the open effects of a task that yield to a move and have no lease. Returns how many.
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

/// Effects that a node can start now: due, without a lease, first in their lane, and not of a task on the machine of
/// another living node.
pub async fn list_due(
    db: &Db,
    by: &LeaseRequest,
    limit: u32,
) -> Result<Vec<EffectRow>, StoreError> {
    let LeaseRequest { node, now, until } = by;
    let select = stmt(DUE).bind(*now).bind(limit).bind(node).bind(*until);
    let rows = db.fetch_all(select).await?;
    rows.iter().map(read).collect()
}

/// Time at which [`list_due`] will next return an effect for some node, if nothing else happens.
pub async fn next_due_at(db: &Db) -> Result<Option<Timestamp>, StoreError> {
    db.fetch_optional(stmt(NEXT_DUE_AT)).await?.map(|row| row.at("due_at")).transpose()
}

/// Leases an effect to a node. Returns the row with the fence that proves the lease and the note of an earlier holder.
/// `None` if another node was faster, or if the task is on the machine of another living node.
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

/// Extends the lease of an effect. Returns false if the node no longer holds it.
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

/// Whether the lease with this fence is still held. If so, it is until the transaction ends.
pub async fn holds_lease(tx: &mut Tx, id: EffectId, fence: i64) -> Result<bool, StoreError> {
    let select = stmt(
        "SELECT fence FROM effects WHERE id = $1 AND fence = $2 AND open AND lease_node IS NOT NULL",
    );
    let select = select.bind(id).bind(fence).lock_rows(RowLock::Update);
    Ok(tx.fetch_optional(select).await?.is_some())
}

/// Stores a note for a later holder about what this one is about to do. Returns false and changes nothing if the lease
/// with this fence is lost.
pub async fn write_journal(
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

/// Closes an effect. Returns false and changes nothing if the lease with this fence is lost.
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

/// Why a node releases an effect for a retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EffectRetry<'e> {
    /// It failed. Too many failures in a row need a person.
    Failed(&'e str),
    /// It has to wait for something, and did not fail.
    Waiting(&'e str),
    /// Same, and from now on a move of the task supersedes it.
    WaitingUntilMove(&'e str),
}

/// Releases an effect to be retried later. Returns false and changes nothing if the lease with this fence is lost.
pub async fn retry_at(
    tx: &mut Tx,
    id: EffectId,
    fence: i64,
    why: EffectRetry<'_>,
    not_before: Timestamp,
) -> Result<bool, StoreError> {
    let (failed, yields, error) = match why {
        EffectRetry::Failed(error) => (true, false, error),
        EffectRetry::Waiting(error) => (false, false, error),
        EffectRetry::WaitingUntilMove(error) => (false, true, error),
    };
    let update = stmt(
        "UPDATE effects SET not_before = $4, due_at = $4, last_error = $3, fence = fence + 1, lease_node = NULL,
                            lease_until = NULL, failures = CASE WHEN $5 THEN failures + 1 ELSE 0 END,
                            yields = (yields OR $6)
         WHERE id = $1 AND fence = $2 AND open AND lease_node IS NOT NULL",
    )
    .bind(id)
    .bind(fence)
    // PostgreSQL cannot store NUL, and an error may contain any text.
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

/// Makes the effects of a project that wait for its budget due now. Returns how many.
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

/// Same for effects that wait for the quota or the login of an agent.
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

/// Same for the landing of a task that waits for an external event.
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

/// Same for the landings of tasks that depend on an ended one.
pub async fn hasten_dependent_landings(
    tx: &mut Tx,
    task: TaskId,
    now: Timestamp,
) -> Result<u64, StoreError> {
    let update = stmt(
        "UPDATE effects SET not_before = $2, due_at = $2
         WHERE open AND due_at > $2 AND lease_node IS NULL AND kind = 'land'
           AND task_id IN (SELECT task_id FROM task_dependencies WHERE depends_on_id = $1)",
    );
    let hastened = tx.execute(update.bind(task).bind(now)).await?;
    if hastened > 0 {
        wake(tx);
    }
    Ok(hastened)
}

/// Releases the leases of this node's previous process at its start. Returns how many.
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

/// Open effects whose last lease was this node's: held now, held when it died, or released since.
pub async fn list_last_leased_by(db: &Db, node: &str) -> Result<Vec<EffectRow>, StoreError> {
    let select = stmt("SELECT * FROM effects WHERE open AND node = $1 ORDER BY id").bind(node);
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// Effects of a project that other living nodes perform, in the order in which they were planned.
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

/// A task's effects in the order in which they were planned.
pub async fn list_of_task(db: &Db, task: TaskId) -> Result<Vec<EffectRow>, StoreError> {
    let select = stmt("SELECT * FROM effects WHERE task_id = $1 ORDER BY position").bind(task);
    db.fetch_all(select).await?.iter().map(read).collect()
}

/// Notes of the holders of open effects.
pub async fn open_journals(db: &Db) -> Result<Vec<String>, StoreError> {
    let select = stmt("SELECT journal FROM effects WHERE open AND journal IS NOT NULL");
    db.fetch_all(select).await?.iter().map(|row| row.get("journal")).collect()
}

/// Number of open effects.
pub async fn count_open(db: &Db) -> Result<i64, StoreError> {
    let row = db.fetch_one(stmt("SELECT COUNT(*) AS waiting FROM effects WHERE open")).await?;
    row.get("waiting")
}

/// One wake-up for all effects: a node reads everything that is due, however many tasks changed.
fn wake(tx: &mut Tx) {
    tx.wake(WakeChannel::Effects, "");
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
