//! Webhooks as people set them.

use forge_domain::{ProjectId, Timestamp, UserId, WebhookId};

use crate::cursor::PageCursor;
use crate::db::Db;
use crate::dialect::RowLock;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::column::json;
use crate::tables::page::{ListOrder, PageRequest, SortKey};
use crate::tx::Tx;
use crate::wake::WakeChannel;

/// A webhook: the events of a project, posted to a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRow {
    pub id: WebhookId,
    pub project_id: ProjectId,
    /// The user on whose behalf events leave the server; `None` if the account is gone.
    pub owner_id: Option<UserId>,
    /// Name, unique in the project.
    pub name: String,
    pub url: String,
    /// Types of the events to deliver; `None` for all.
    pub event_types: Option<Vec<String>>,
    /// The encrypted secret of the signatures.
    pub sealed_secret: String,
    pub enabled: bool,
    /// Why the server disabled it; `None` if a person did, or if it is enabled.
    pub disabled_reason: Option<String>,
    /// Sequence number of the last event that was delivered or is not wanted.
    pub position: i64,
    /// Failed attempts at the next event.
    pub failures: u32,
    /// Time of the first of them.
    pub failing_since: Option<Timestamp>,
    /// Error of the last of them.
    pub last_error: Option<String>,
    /// Time of the last delivered event.
    pub delivered_at: Option<Timestamp>,
    /// Earliest time of the next attempt.
    pub due_at: Timestamp,
    /// Number of the lease; a holder with an older number is refused.
    pub fence: i64,
    pub version: i64,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Sort order of [`list_of_project`]: by name.
pub const ORDER: ListOrder = ListOrder::new("name", &[SortKey::Text]);

/// Adds a webhook.
pub async fn insert(tx: &mut Tx, webhook: &WebhookRow) -> Result<(), StoreError> {
    let insert = stmt(
        "INSERT INTO webhooks (id, project_id, owner_id, name, url, event_types, sealed_secret, enabled, position,
                               failures, due_at, fence, version, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, 0, $11, $12, $13)",
    )
    .bind(webhook.id)
    .bind(webhook.project_id)
    .bind(webhook.owner_id)
    .bind(&webhook.name)
    .bind(&webhook.url)
    .bind(json(&webhook.event_types)?)
    .bind(&webhook.sealed_secret)
    .bind(webhook.enabled)
    .bind(webhook.position)
    .bind(webhook.due_at)
    .bind(webhook.version)
    .bind(webhook.created_at)
    .bind(webhook.updated_at);
    tx.execute(insert).await?;
    Ok(())
}

/// Stores a changed webhook, increments its version and ends its lease: what is being sent under the old settings is
/// not recorded.
pub async fn put(tx: &mut Tx, webhook: &WebhookRow) -> Result<(), StoreError> {
    let update = stmt(
        "UPDATE webhooks SET owner_id = $2, name = $3, url = $4, event_types = $5, sealed_secret = $6, enabled = $7,
                disabled_reason = $8, position = $9, failures = $10, failing_since = $11, last_error = $12, due_at = $13,
                updated_at = $14, version = version + 1, fence = fence + 1, lease_node = NULL, lease_until = NULL
         WHERE id = $1",
    )
    .bind(webhook.id)
    .bind(webhook.owner_id)
    .bind(&webhook.name)
    .bind(&webhook.url)
    .bind(json(&webhook.event_types)?)
    .bind(&webhook.sealed_secret)
    .bind(webhook.enabled)
    .bind(webhook.disabled_reason.clone())
    .bind(webhook.position)
    .bind(i64::from(webhook.failures))
    .bind(webhook.failing_since)
    .bind(webhook.last_error.clone())
    .bind(webhook.due_at)
    .bind(webhook.updated_at);
    tx.execute(update).await?;
    Ok(())
}

/// Removes a webhook with its deliveries. Returns false if there was none.
pub async fn remove(tx: &mut Tx, id: WebhookId) -> Result<bool, StoreError> {
    Ok(tx.execute(stmt("DELETE FROM webhooks WHERE id = $1").bind(id)).await? == 1)
}

/// Loads a webhook.
pub async fn load(db: &Db, id: WebhookId) -> Result<Option<WebhookRow>, StoreError> {
    db.fetch_optional(select(id)).await?.as_ref().map(read).transpose()
}

/// Loads a webhook and locks it until the transaction ends.
pub async fn lock(tx: &mut Tx, id: WebhookId) -> Result<Option<WebhookRow>, StoreError> {
    tx.fetch_optional(select(id).lock_rows(RowLock::Update)).await?.as_ref().map(read).transpose()
}

/// Names of the project's webhooks.
pub async fn names_in(tx: &mut Tx, project: ProjectId) -> Result<Vec<String>, StoreError> {
    let select = stmt("SELECT name FROM webhooks WHERE project_id = $1").bind(project);
    tx.fetch_all(select).await?.iter().map(|row| row.get("name")).collect()
}

/// Lists a project's webhooks in [`ORDER`].
pub async fn list_of_project(
    db: &Db,
    project: ProjectId,
    page: &PageRequest,
) -> Result<(Vec<WebhookRow>, Option<PageCursor>), StoreError> {
    let select =
        stmt("SELECT * FROM webhooks WHERE project_id = $1 AND name > $2 ORDER BY name LIMIT $3")
            .bind(project)
            .bind(ORDER.start_or(page, "".into())?)
            .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let webhooks = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.split_page(webhooks, |last: &WebhookRow| ORDER.after([last.name.clone().into()])))
}

/// Wakes the senders of all nodes.
pub fn wake_senders(tx: &mut Tx, project: ProjectId) {
    tx.wake(WakeChannel::Events, &project.to_string());
}

fn select(id: WebhookId) -> SqlStatement {
    stmt("SELECT * FROM webhooks WHERE id = $1").bind(id)
}

pub(crate) fn read(row: &DbRow) -> Result<WebhookRow, StoreError> {
    Ok(WebhookRow {
        id: row.parse("id")?,
        project_id: row.parse("project_id")?,
        owner_id: row.maybe_parse("owner_id")?,
        name: row.get("name")?,
        url: row.get("url")?,
        event_types: row.json("event_types")?,
        sealed_secret: row.get("sealed_secret")?,
        enabled: row.get("enabled")?,
        disabled_reason: row.get("disabled_reason")?,
        position: row.get("position")?,
        failures: u32::try_from(row.get::<i64>("failures")?).unwrap_or(u32::MAX),
        failing_since: row.maybe_at("failing_since")?,
        last_error: row.get("last_error")?,
        delivered_at: row.maybe_at("delivered_at")?,
        due_at: row.at("due_at")?,
        fence: row.get("fence")?,
        version: row.get("version")?,
        created_at: row.at("created_at")?,
        updated_at: row.at("updated_at")?,
    })
}
