//! Delivers the events of one leased webhook, in order, until it has caught up, fails, or loses the lease.

use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::webhook::event_post::{EventEncoding, EventMessage, EventReceiver, PostResult};
use crate::webhook::retry_schedule::{RetryDecision, decide_retry};
use crate::webhook::webhooks::{Webhooks, webhook_event};
use forge_domain::{Actor, Timestamp};
use forge_store::tables::events::{self, EventRow};
use forge_store::tables::webhook_deliveries::{self, DeliveryKind, DeliveryRow};
use forge_store::tables::webhook_leases::{self, SendPermission, WebhookLease};
use forge_store::tables::webhooks::{self, WebhookRow};

const BATCH: u32 = 32;
/// Lifetime of a lease. Each recorded answer renews it; an attempt takes a little more than half of it at most.
const LEASE_SECONDS: u64 = 60;
const COMPONENT: &str = "webhooks";

/// Whether the webhook can be delivered further under the same lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunProgress {
    Continues,
    Ended,
}

impl Webhooks {
    pub(crate) fn lease_end(&self, now: Timestamp) -> Timestamp {
        now.plus_seconds(LEASE_SECONDS)
    }

    /// Delivers what is due. Ends without a lease, or with one that another process may take over later.
    pub(crate) async fn deliver_leased(&self, webhook: WebhookRow, encode: EventEncoding) {
        let id = webhook.id;
        if let Err(error) = self.deliver_batches(webhook, encode).await {
            tracing::error!(webhook = %id, %error, "could not record a delivery; it is repeated after its lease");
        }
    }

    async fn deliver_batches(
        &self,
        mut webhook: WebhookRow,
        encode: EventEncoding,
    ) -> Result<(), EngineError> {
        let lease = WebhookLease { webhook: webhook.id, fence: webhook.fence };
        loop {
            let place = (webhook.project_id, webhook.position);
            let batch = events::after(&self.db, &[place], BATCH).await?;
            if batch.is_empty() {
                self.db
                    .write_relaxed(move |tx| Box::pin(webhook_leases::release(tx, lease)))
                    .await?;
                return Ok(());
            }
            // Connected for each batch, so that a host that moves is followed, and an address that is no longer
            // allowed is left.
            let mut receiver = None;
            for event in batch {
                let position = event.seq;
                let progress = match self.message(&webhook, &event, encode) {
                    Some(message) => {
                        self.deliver_event(&webhook, lease, &mut receiver, &event, message).await?
                    }
                    None => RunProgress::Continues,
                };
                if progress == RunProgress::Ended {
                    return Ok(());
                }
                (webhook.position, webhook.failures) = (position, 0);
            }
            if !self.skip_unwanted(&webhook, lease).await? {
                return Ok(());
            }
        }
    }

    /// Records the position after a batch that may end with unwanted events. Returns false if the lease is lost.
    async fn skip_unwanted(
        &self,
        webhook: &WebhookRow,
        lease: WebhookLease,
    ) -> Result<bool, EngineError> {
        let (position, until) = (webhook.position, self.lease_end(self.clock.now()));
        let is_held = self.db.write_relaxed(move |tx| {
            Box::pin(async move {
                let Some(stored) = webhook_leases::lock_leased(tx, lease).await? else {
                    return Ok::<_, EngineError>(false);
                };
                if stored.position < position {
                    webhook_leases::advance(tx, lease, position, None, until).await?;
                }
                Ok(true)
            })
        });
        is_held.await
    }

    /// The message of an event; `None` if the webhook does not want it.
    pub(crate) fn message(
        &self,
        webhook: &WebhookRow,
        event: &EventRow,
        encode: EventEncoding,
    ) -> Option<EventMessage> {
        let wanted = webhook.event_types.as_ref().is_none_or(|types| types.contains(&event.kind));
        if !wanted || event.project_id != webhook.project_id {
            return None;
        }
        self.encode_message(event, encode)
    }

    async fn deliver_event(
        &self,
        webhook: &WebhookRow,
        lease: WebhookLease,
        receiver: &mut Option<EventReceiver>,
        event: &EventRow,
        message: EventMessage,
    ) -> Result<RunProgress, EngineError> {
        match webhook_leases::check_permission(&self.db, lease).await? {
            SendPermission::EventsAfter(since) if event.seq > since => {}
            SendPermission::EventsAfter(_) => return Ok(RunProgress::Continues),
            SendPermission::LeaseLost => return Ok(RunProgress::Ended),
            SendPermission::OwnerLeft => {
                let reason = "the user who set it up is no longer a member of the project; another member can \
                              enable it again";
                self.disable(lease, reason.to_owned()).await?;
                return Ok(RunProgress::Ended);
            }
        }
        let began = self.clock.now();
        let result = self.post(webhook, receiver, &message).await;
        let now = self.clock.now();
        let earlier = if webhook.position + 1 == event.seq { webhook.failures } else { 0 };
        let delivery = DeliveryRow {
            kind: DeliveryKind::Event,
            seq: Some(event.seq),
            attempts: earlier.saturating_add(1),
            ..delivery_row(&event.kind, &result, began, now)
        };
        if result.error.is_none() {
            return self.record_delivered(lease, event.seq, delivery).await;
        }
        self.record_failed(webhook, lease, delivery, &result).await?;
        Ok(RunProgress::Ended)
    }

    /// Posts a message, over the connections of the batch if there are any.
    async fn post(
        &self,
        webhook: &WebhookRow,
        receiver: &mut Option<EventReceiver>,
        message: &EventMessage,
    ) -> PostResult {
        let secret = match self.open_secret(webhook) {
            Ok(secret) => secret,
            Err(error) => return PostResult::failed(error),
        };
        let receiver = match receiver {
            Some(receiver) => receiver,
            None => match self.connector.connect(&webhook.url).await {
                Ok(opened) => receiver.insert(opened),
                Err(error) => return PostResult::failed(error),
            },
        };
        receiver.post(message, &secret).await
    }

    /// Posts a message over a connection of its own.
    pub(crate) async fn post_once(
        &self,
        webhook: &WebhookRow,
        message: &EventMessage,
    ) -> PostResult {
        self.post(webhook, &mut None, message).await
    }

    async fn record_delivered(
        &self,
        lease: WebhookLease,
        position: i64,
        delivery: DeliveryRow,
    ) -> Result<RunProgress, EngineError> {
        let until = self.lease_end(delivery.at);
        // A power failure may lose this write: the event is delivered again then.
        let is_held = self.db.write_relaxed(move |tx| {
            let delivery = delivery.clone();
            Box::pin(async move {
                let at = Some(delivery.at);
                if !webhook_leases::advance(tx, lease, position, at, until).await? {
                    return Ok::<_, EngineError>(false);
                }
                webhook_deliveries::record(tx, lease.webhook, &delivery).await?;
                Ok(true)
            })
        });
        Ok(if is_held.await? { RunProgress::Continues } else { RunProgress::Ended })
    }

    async fn record_failed(
        &self,
        webhook: &WebhookRow,
        lease: WebhookLease,
        delivery: DeliveryRow,
        result: &PostResult,
    ) -> Result<(), EngineError> {
        let (now, error) = (delivery.at, result.error.clone().unwrap_or_default());
        // Events before this one may have been skipped or delivered since the row was read.
        let position = webhook.position;
        let (is_gone, retry_after) = (result.is_gone, result.retry_after_seconds);
        let until = self.lease_end(now);
        tracing::info!(webhook = %webhook.id, seq = delivery.seq, error, "delivery of an event failed");
        let recorded = self.db.write(move |tx| {
            let (delivery, error) = (delivery.clone(), error.clone());
            Box::pin(async move {
                let Some(mut stored) = webhook_leases::lock_leased(tx, lease).await? else {
                    return Ok::<_, EngineError>(());
                };
                if stored.position < position {
                    webhook_leases::advance(tx, lease, position, None, until).await?;
                    (stored.position, stored.failures, stored.failing_since) = (position, 0, None);
                }
                webhook_deliveries::record(tx, lease.webhook, &delivery).await?;
                let (failures, since) = (stored.failures + 1, stored.failing_since.unwrap_or(now));
                match decide_retry(now, since, failures, retry_after) {
                    RetryDecision::RetryAt(at) if !is_gone => {
                        webhook_leases::record_failure(tx, lease, &error, now, at).await?;
                    }
                    _ => {
                        stored.failures = failures;
                        stored.failing_since = Some(since);
                        stored.last_error = Some(error.clone());
                        let reason = match is_gone {
                            true => error,
                            false => format!("it failed for three days, lastly because {error}"),
                        };
                        disable_in(tx, stored, reason, now).await?;
                    }
                }
                Ok(())
            })
        });
        recorded.await
    }

    /// Disables a webhook whose lease is held.
    async fn disable(&self, lease: WebhookLease, reason: String) -> Result<(), EngineError> {
        let now = self.clock.now();
        let disabled = self.db.write(move |tx| {
            let reason = reason.clone();
            Box::pin(async move {
                match webhook_leases::lock_leased(tx, lease).await? {
                    Some(stored) => disable_in(tx, stored, reason, now).await,
                    None => Ok::<_, EngineError>(()),
                }
            })
        });
        disabled.await
    }
}

async fn disable_in(
    tx: &mut forge_store::Tx,
    mut webhook: WebhookRow,
    reason: String,
    now: Timestamp,
) -> Result<(), EngineError> {
    tracing::warn!(webhook = %webhook.id, reason, "disabled a webhook; it needs a person");
    webhook.enabled = false;
    webhook.disabled_reason = Some(reason.replace('\0', "\u{fffd}"));
    webhook.updated_at = now;
    webhooks::put(tx, &webhook).await?;
    let event = webhook_event("webhook.disabled", &webhook, now);
    append_events(tx, webhook.project_id, &Actor::system(COMPONENT), &[event]).await?;
    Ok(())
}

/// The record of one attempt.
pub(crate) fn delivery_row(
    event_type: &str,
    result: &PostResult,
    began: Timestamp,
    now: Timestamp,
) -> DeliveryRow {
    DeliveryRow {
        number: 0,
        kind: DeliveryKind::Ping,
        seq: None,
        event_type: event_type.to_owned(),
        attempts: 1,
        delivered: result.error.is_none(),
        http_status: result.status,
        error: result.error.clone(),
        answer: result.answer.clone(),
        duration_ms: u64::try_from(now.millis() - began.millis()).unwrap_or_default(),
        at: now,
    }
}
