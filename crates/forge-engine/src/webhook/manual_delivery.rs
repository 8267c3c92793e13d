//! Deliveries that a person asks for: a test, and an event once more. They do not move the position, and are answered
//! with the result.

use crate::command::errors::EngineError;
use crate::command::lookup::require_found;
use crate::webhook::delivery_run::delivery_row;
use crate::webhook::event_post::{EventEncoding, EventMessage};
use crate::webhook::webhooks::Webhooks;
use forge_domain::{Actor, ProjectId, WebhookId};
use forge_store::tables::events::{self, EventRow};
use forge_store::tables::webhook_deliveries::{self, DeliveryKind, DeliveryRow};
use forge_store::tables::webhook_leases;
use forge_store::tables::webhooks::WebhookRow;

/// Type of the event that tests a webhook. It is sent only by a test, and not part of the sequence.
pub const PING_EVENT: &str = "webhook.ping";

impl Webhooks {
    /// Sends a test to the receiver. If it is accepted, a waiting event is attempted again at once.
    pub async fn send_ping(
        &self,
        actor: Actor,
        project: ProjectId,
        id: WebhookId,
    ) -> Result<DeliveryRow, EngineError> {
        let webhook = self.load(project, id).await?;
        let at = self.clock.now();
        let project_row = self.records.project(project).await?;
        let ping = EventRow {
            project_id: project,
            ordinal: project_row.ordinal,
            seq: webhook.position,
            kind: PING_EVENT.to_owned(),
            task_id: None,
            actor,
            at,
            data: serde_json::json!({ "id": webhook.id, "name": webhook.name }),
            version: webhook.version,
        };
        let message = self.encode.and_then(|encode| self.encode_message(&ping, encode));
        let message = message.map(|message| EventMessage {
            id: format!("ping_{}", self.ids.next(at).simple()),
            ..message
        });
        self.send_now(&webhook, DeliveryKind::Ping, None, PING_EVENT, message).await
    }

    /// Sends the event of an earlier delivery again, now and out of order.
    pub async fn redeliver(
        &self,
        project: ProjectId,
        id: WebhookId,
        number: i64,
    ) -> Result<DeliveryRow, EngineError> {
        let webhook = self.load(project, id).await?;
        let earlier = webhook_deliveries::load(&self.db, id, number).await?;
        let earlier = require_found(earlier, "delivery", number)?;
        let Some(seq) = earlier.seq else {
            return Err(EngineError::InvalidField {
                field: "number",
                problem: "this delivery is a test without an event; send another test instead"
                    .to_owned(),
            });
        };
        if !webhook_leases::owner_may_read(&self.db, id, seq).await? {
            return Err(EngineError::InvalidField {
                field: "number",
                problem: "the owner of the webhook was not a member of the project at the time of this event; a member \
                          of that time can take the webhook over by enabling it"
                    .to_owned(),
            });
        }
        let found = events::after(&self.db, &[(project, seq - 1)], 1).await?;
        let event = found.into_iter().find(|event| event.seq == seq);
        let event = require_found(event, "event", seq)?;
        let message = self.encode.and_then(|encode| self.encode_message(&event, encode));
        self.send_now(&webhook, DeliveryKind::Redelivery, Some(seq), &event.kind, message).await
    }

    /// The message of an event; `None` if its type is unknown.
    pub(crate) fn encode_message(
        &self,
        event: &EventRow,
        encode: EventEncoding,
    ) -> Option<EventMessage> {
        let id = format!("evt_{}_{}", event.project_id.uuid().simple(), event.seq);
        let body = encode(event.clone())?;
        Some(EventMessage { id, timestamp: self.clock.now().millis() / 1_000, body })
    }

    async fn send_now(
        &self,
        webhook: &WebhookRow,
        kind: DeliveryKind,
        seq: Option<i64>,
        event_type: &str,
        message: Option<EventMessage>,
    ) -> Result<DeliveryRow, EngineError> {
        let message = require_found(message, "body for the event", event_type)?;
        let began = self.clock.now();
        let result = self.post_once(webhook, &message).await;
        let row = delivery_row(event_type, &result, began, self.clock.now());
        let row = DeliveryRow { kind, seq, ..row };
        let id = webhook.id;
        let recorded = self.db.write(move |tx| {
            let row = row.clone();
            Box::pin(async move {
                // The webhook may have been removed meanwhile.
                let stored = forge_store::tables::webhooks::lock(tx, id).await?;
                let stored = require_found(stored, "webhook", id)?;
                let number = webhook_deliveries::record(tx, id, &row).await?;
                if row.delivered {
                    webhook_leases::hasten(tx, id, row.at).await?;
                    forge_store::tables::webhooks::wake_senders(tx, stored.project_id);
                }
                Ok::<_, EngineError>(DeliveryRow { number, ..row })
            })
        });
        recorded.await
    }
}
