//! Leases of webhooks: one node at a time delivers the events of a webhook, in order.

use forge_domain::{Timestamp, WebhookId};

use crate::db::Db;
use crate::dialect::RowLock;
use crate::statement::stmt;
use crate::store_error::StoreError;
use crate::tables::effect::effects::LeaseRequest;
use crate::tables::webhook::webhooks::{WebhookRow, read};
use crate::tx::Tx;

/// Proof of a lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WebhookLease {
    pub webhook: WebhookId,
    pub fence: i64,
}

/// When a webhook can be leased: when its next attempt is due and no lease is held.
macro_rules! ready_at {
    () => {
        "(CASE WHEN lease_until IS NOT NULL AND lease_until > due_at THEN lease_until ELSE due_at END)"
    };
}

/// Whether a webhook is enabled and its project, which was not removed, has events after its position.
macro_rules! is_behind {
    () => {
        "enabled AND position < (SELECT event_seq FROM project_counters
                                 WHERE project_counters.project_id = webhooks.project_id)
         AND EXISTS (SELECT 1 FROM projects WHERE projects.id = webhooks.project_id AND projects.removed_at IS NULL)"
    };
}

const LIST_BEHIND: &str = concat!(
    "SELECT id, ",
    ready_at!(),
    " AS ready_at FROM webhooks WHERE ",
    is_behind!(),
    " ORDER BY ready_at, id"
);

const LEASE: &str = concat!(
    "UPDATE webhooks SET fence = fence + 1, lease_node = $2, lease_until = $4 WHERE id = $1 AND ",
    ready_at!(),
    " <= $3 AND ",
    is_behind!(),
    " RETURNING *"
);

/// Enabled webhooks with undelivered events, and when each can be leased; earliest first.
pub async fn list_behind(db: &Db) -> Result<Vec<(WebhookId, Timestamp)>, StoreError> {
    let rows = db.fetch_all(stmt(LIST_BEHIND)).await?;
    rows.iter().map(|row| Ok((row.parse("id")?, row.at("ready_at")?))).collect()
}

/// Leases a webhook to a node. `None` if another node was faster, or if there is nothing to deliver now.
pub async fn lease(
    tx: &mut Tx,
    id: WebhookId,
    by: &LeaseRequest,
) -> Result<Option<WebhookRow>, StoreError> {
    let update = stmt(LEASE).bind(id).bind(&by.node).bind(by.now).bind(by.until);
    tx.fetch_optional(update).await?.as_ref().map(read).transpose()
}

/// What the holder of a lease may send now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SendPermission {
    /// The events after this number, which are those that the owner may read (S-6).
    EventsAfter(i64),
    /// Nothing: another node holds the webhook, or a person changed or removed it.
    LeaseLost,
    /// Nothing: the owner may not read the project's events any more (S-6).
    OwnerLeft,
}

/// The number of the event after which the owner of a webhook may read the project's events; NULL if never. No row if the
/// project was removed.
macro_rules! owner_since {
    () => {
        "SELECT CASE WHEN users.role = 'admin' THEN CAST(0 AS BIGINT)
                     ELSE (SELECT since_seq FROM project_members
                           WHERE project_members.project_id = webhooks.project_id
                             AND project_members.user_id = users.id)
                END AS since_seq
         FROM webhooks JOIN projects ON projects.id = webhooks.project_id AND projects.removed_at IS NULL
              LEFT JOIN users ON users.id = webhooks.owner_id AND users.removed_at IS NULL
         WHERE webhooks.id = $1"
    };
}

const PERMISSION: &str =
    concat!(owner_since!(), " AND webhooks.fence = $2 AND webhooks.lease_node IS NOT NULL");

/// Checks a lease and the owner's access right, before an event is sent.
pub async fn check_permission(db: &Db, lease: WebhookLease) -> Result<SendPermission, StoreError> {
    let row = db.fetch_optional(stmt(PERMISSION).bind(lease.webhook).bind(lease.fence)).await?;
    let Some(row) = row else { return Ok(SendPermission::LeaseLost) };
    let since: Option<i64> = row.get("since_seq")?;
    Ok(since.map_or(SendPermission::OwnerLeft, SendPermission::EventsAfter))
}

/// Whether the owner of a webhook may read an event of its project (S-6).
pub async fn owner_may_read(db: &Db, id: WebhookId, seq: i64) -> Result<bool, StoreError> {
    let row = db.fetch_optional(stmt(owner_since!()).bind(id)).await?;
    let since: Option<Option<i64>> = row.map(|row| row.get("since_seq")).transpose()?;
    Ok(since.flatten().is_some_and(|since| seq > since))
}

/// Locks a webhook whose lease is still held; `None` if it is lost.
pub async fn lock_leased(
    tx: &mut Tx,
    lease: WebhookLease,
) -> Result<Option<WebhookRow>, StoreError> {
    let select =
        stmt("SELECT * FROM webhooks WHERE id = $1 AND fence = $2 AND lease_node IS NOT NULL")
            .bind(lease.webhook)
            .bind(lease.fence)
            .lock_rows(RowLock::Update);
    tx.fetch_optional(select).await?.as_ref().map(read).transpose()
}

/// Moves the position forward past delivered and unwanted events and extends the lease. Returns false and changes
/// nothing if the lease is lost.
pub async fn advance(
    tx: &mut Tx,
    lease: WebhookLease,
    position: i64,
    delivered_at: Option<Timestamp>,
    until: Timestamp,
) -> Result<bool, StoreError> {
    let update = stmt(
        "UPDATE webhooks SET position = $3, delivered_at = COALESCE($4, delivered_at), lease_until = $5, failures = 0,
                             failing_since = NULL, last_error = NULL
         WHERE id = $1 AND fence = $2 AND lease_node IS NOT NULL AND position < $3",
    )
    .bind(lease.webhook)
    .bind(lease.fence)
    .bind(position)
    .bind(delivered_at)
    .bind(until);
    Ok(tx.execute(update).await? == 1)
}

/// Ends a lease. Returns false and changes nothing if it is lost.
pub async fn release(tx: &mut Tx, lease: WebhookLease) -> Result<bool, StoreError> {
    let update = stmt(
        "UPDATE webhooks SET lease_node = NULL, lease_until = NULL, fence = fence + 1
         WHERE id = $1 AND fence = $2 AND lease_node IS NOT NULL",
    );
    Ok(tx.execute(update.bind(lease.webhook).bind(lease.fence)).await? == 1)
}

/// Records a failed attempt and ends the lease. Returns false and changes nothing if it is lost.
pub async fn record_failure(
    tx: &mut Tx,
    lease: WebhookLease,
    error: &str,
    now: Timestamp,
    due_at: Timestamp,
) -> Result<bool, StoreError> {
    let update = stmt(
        "UPDATE webhooks SET failures = failures + 1, failing_since = COALESCE(failing_since, $4), last_error = $3,
                             due_at = $5, lease_node = NULL, lease_until = NULL, fence = fence + 1
         WHERE id = $1 AND fence = $2 AND lease_node IS NOT NULL",
    )
    .bind(lease.webhook)
    .bind(lease.fence)
    .bind(error.replace('\0', "\u{fffd}"))
    .bind(now)
    .bind(due_at);
    Ok(tx.execute(update).await? == 1)
}

/// Makes the next attempt due now, because the receiver answered something else successfully.
pub async fn hasten(tx: &mut Tx, id: WebhookId, now: Timestamp) -> Result<(), StoreError> {
    let update = stmt("UPDATE webhooks SET due_at = $2 WHERE id = $1 AND due_at > $2");
    tx.execute(update.bind(id).bind(now)).await?;
    Ok(())
}

/// Ends the leases of this node's previous process at its start. Returns how many.
pub async fn release_webhooks_of_node(tx: &mut Tx, node: &str) -> Result<u64, StoreError> {
    let update = stmt(
        "UPDATE webhooks SET lease_node = NULL, lease_until = NULL, fence = fence + 1 WHERE lease_node = $1",
    );
    tx.execute(update.bind(node)).await
}
