//! The latest deliveries of webhooks.

use forge_domain::{Timestamp, WebhookId};
use serde::{Deserialize, Serialize};

use crate::cursor::PageCursor;
use crate::db::Db;
use crate::row::DbRow;
use crate::statement::{SqlStatement, stmt};
use crate::store_error::StoreError;
use crate::tables::column::{count, json, word};
use crate::tables::page::{ListOrder, PageRequest, SortKey};
use crate::tx::Tx;

/// Number of deliveries that are kept of each webhook.
pub const KEPT_DELIVERIES: i64 = 100;

/// Why something was posted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryKind {
    /// An event, in its order.
    Event,
    /// An event that a person sent again.
    Redelivery,
    /// A test without an event.
    Ping,
}

/// What was posted, and how the receiver answered the last attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeliveryRow {
    /// Position among the deliveries of the webhook; 0 before it is stored.
    pub number: i64,
    pub kind: DeliveryKind,
    /// Sequence number of the event; `None` for a ping.
    pub seq: Option<i64>,
    pub event_type: String,
    /// Number of attempts.
    pub attempts: u32,
    /// Whether the receiver accepted it.
    pub delivered: bool,
    /// Status of the answer; `None` without an answer.
    pub http_status: Option<u16>,
    /// Why the last attempt failed.
    pub error: Option<String>,
    /// End of the body of the answer.
    pub answer: String,
    /// How long the last attempt took.
    pub duration_ms: u64,
    /// Time of the last attempt.
    pub at: Timestamp,
}

/// Sort order of [`list_of_webhook`]: newest first.
pub const ORDER: ListOrder = ListOrder::new("newest", &[SortKey::Int]);

/// Stores an attempt and returns its number. A repeated attempt at an event in its order replaces the earlier one;
/// older rows than the kept ones are removed.
pub async fn record(
    tx: &mut Tx,
    webhook: WebhookId,
    delivery: &DeliveryRow,
) -> Result<i64, StoreError> {
    if delivery.kind == DeliveryKind::Event && delivery.attempts > 1 {
        let update = stmt(
            "UPDATE webhook_deliveries SET attempts = $4, delivered = $5, http_status = $6, error = $7, answer = $8,
                                           duration_ms = $9, at = $10
             WHERE webhook_id = $1 AND number = (SELECT MAX(number) FROM webhook_deliveries
                                                 WHERE webhook_id = $1 AND kind = $2 AND seq = $3)
             RETURNING number",
        )
        .bind(webhook)
        .bind(word(delivery.kind)?)
        .bind(delivery.seq);
        let updated = tx.fetch_optional(bind_answer(update, delivery)?).await?;
        if let Some(row) = updated {
            return row.get("number");
        }
    }
    let insert = stmt(
        "INSERT INTO webhook_deliveries (webhook_id, kind, seq, attempts, delivered, http_status, error, answer,
                                         duration_ms, at, event_type, number)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,
                 (SELECT COALESCE(MAX(number), 0) + 1 FROM webhook_deliveries WHERE webhook_id = $1))
         RETURNING number",
    )
    .bind(webhook)
    .bind(word(delivery.kind)?)
    .bind(delivery.seq);
    let insert = bind_answer(insert, delivery)?.bind(&delivery.event_type);
    let number = tx.fetch_one(insert).await?.get::<i64>("number")?;
    let delete = stmt("DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND number <= $2");
    tx.execute(delete.bind(webhook).bind(number - KEPT_DELIVERIES)).await?;
    Ok(number)
}

fn bind_answer(
    statement: SqlStatement,
    delivery: &DeliveryRow,
) -> Result<SqlStatement, StoreError> {
    Ok(statement
        .bind(i64::from(delivery.attempts))
        .bind(delivery.delivered)
        .bind(delivery.http_status.map(i64::from))
        .bind(delivery.error.as_ref().map(|error| error.replace('\0', "\u{fffd}")))
        // Stored as JSON, because PostgreSQL cannot store a NUL character, which an answer may contain.
        .bind(json(&delivery.answer)?)
        .bind(count(delivery.duration_ms))
        .bind(delivery.at))
}

/// One delivery of a webhook.
pub async fn load(
    db: &Db,
    webhook: WebhookId,
    number: i64,
) -> Result<Option<DeliveryRow>, StoreError> {
    let select = stmt("SELECT * FROM webhook_deliveries WHERE webhook_id = $1 AND number = $2");
    let row = db.fetch_optional(select.bind(webhook).bind(number)).await?;
    row.as_ref().map(read).transpose()
}

/// Lists the kept deliveries of a webhook in [`ORDER`].
pub async fn list_of_webhook(
    db: &Db,
    webhook: WebhookId,
    page: &PageRequest,
) -> Result<(Vec<DeliveryRow>, Option<PageCursor>), StoreError> {
    let select = stmt(
        "SELECT * FROM webhook_deliveries WHERE webhook_id = $1 AND number < $2 ORDER BY number DESC LIMIT $3",
    )
    .bind(webhook)
    .bind(ORDER.start_or(page, i64::MAX.into())?)
    .bind(page.fetch_limit());
    let rows = db.fetch_all(select).await?;
    let deliveries = rows.iter().map(read).collect::<Result<_, _>>()?;
    Ok(page.split_page(deliveries, |last: &DeliveryRow| ORDER.after([last.number.into()])))
}

fn read(row: &DbRow) -> Result<DeliveryRow, StoreError> {
    let status: Option<i64> = row.get("http_status")?;
    Ok(DeliveryRow {
        number: row.get("number")?,
        kind: row.word("kind")?,
        seq: row.get("seq")?,
        event_type: row.get("event_type")?,
        attempts: u32::try_from(row.get::<i64>("attempts")?).unwrap_or(u32::MAX),
        delivered: row.get("delivered")?,
        http_status: status.and_then(|status| u16::try_from(status).ok()),
        error: row.get("error")?,
        answer: row.json("answer")?,
        duration_ms: u64::try_from(row.get::<i64>("duration_ms")?).unwrap_or_default(),
        at: row.at("at")?,
    })
}
