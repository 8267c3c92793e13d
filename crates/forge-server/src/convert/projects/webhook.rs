//! Conversion of webhooks.

use forge_api::{
    EventType, NewWebhook, SecretString, Webhook, WebhookDelivery, WebhookDeliveryKind,
    WebhookPatch, WebhookStatus,
};
use forge_engine::{SigningSecret, WebhookChange, WebhookSpec};
use forge_store::tables::webhook_deliveries::{DeliveryKind, DeliveryRow};
use forge_store::tables::webhooks::WebhookRow;

use crate::convert::text::invalid_field_value;
use crate::convert::time::rfc3339;
use crate::error::api_error::ApiError;

/// Converts a webhook; `latest` is the number of the project's last event.
pub(crate) fn webhook(row: WebhookRow, latest: i64) -> Webhook {
    let status = match (row.enabled, row.failures) {
        (false, _) => WebhookStatus::Disabled,
        (true, 0) => WebhookStatus::Active,
        (true, _) => WebhookStatus::Failing,
    };
    let is_known = |name: &String| EventType::parse(name);
    Webhook {
        id: row.id.uuid(),
        project_id: row.project_id.uuid(),
        name: row.name,
        url: row.url,
        event_types: row.event_types.map(|types| types.iter().filter_map(is_known).collect()),
        status,
        disabled_reason: row.disabled_reason,
        owner_id: row.owner_id.map(|owner| owner.uuid()),
        waiting_events: u64::try_from(latest - row.position).unwrap_or_default(),
        failures: row.failures,
        failing_since: row.failing_since.map(rfc3339),
        last_error: row.last_error,
        next_attempt_at: (status == WebhookStatus::Failing).then(|| rfc3339(row.due_at)),
        delivered_at: row.delivered_at.map(rfc3339),
        version: row.version,
        created_at: rfc3339(row.created_at),
        updated_at: rfc3339(row.updated_at),
    }
}

/// Converts the record of a delivery.
pub(crate) fn delivery(row: DeliveryRow) -> WebhookDelivery {
    WebhookDelivery {
        number: row.number,
        kind: match row.kind {
            DeliveryKind::Event => WebhookDeliveryKind::Event,
            DeliveryKind::Redelivery => WebhookDeliveryKind::Redelivery,
            DeliveryKind::Ping => WebhookDeliveryKind::Ping,
        },
        event_type: row.event_type,
        seq: row.seq.and_then(|seq| u64::try_from(seq).ok()),
        attempts: row.attempts,
        delivered: row.delivered,
        http_status: row.http_status,
        error: row.error,
        answer: row.answer,
        duration_ms: row.duration_ms,
        at: rfc3339(row.at),
    }
}

/// Converts a request for a new webhook.
pub(crate) fn webhook_spec(asked: NewWebhook) -> Result<WebhookSpec, ApiError> {
    Ok(WebhookSpec {
        name: asked.name,
        url: asked.url,
        event_types: asked.event_types.map(event_types).transpose()?,
        secret: asked.secret.as_ref().map(signing_secret).transpose()?,
    })
}

/// Converts a request for a change.
pub(crate) fn webhook_change(asked: WebhookPatch) -> Result<WebhookChange, ApiError> {
    Ok(WebhookChange {
        name: asked.name,
        url: asked.url,
        event_types: asked
            .event_types
            .map(|types| types.map(event_types).transpose())
            .transpose()?,
        secret: asked.secret.as_ref().map(signing_secret).transpose()?,
        enabled: asked.enabled,
        skip_waiting: asked.skip_waiting,
        version: asked.version,
    })
}

fn signing_secret(secret: &SecretString) -> Result<SigningSecret, ApiError> {
    Ok(SigningSecret::parse(secret.expose())?)
}

fn event_types(types: Vec<EventType>) -> Result<Vec<String>, ApiError> {
    if types.is_empty() {
        let problem =
            "an empty list would deliver nothing; name event types, or leave it out for all";
        return Err(invalid_field_value("event_types", problem));
    }
    Ok(types.iter().map(|kind| kind.as_str().to_owned()).collect())
}
