//! Leases the webhooks that are behind and delivers each in a task of its own, so that a slow receiver delays no other.

use crate::command::errors::EngineError;
use crate::webhook::event_post::EventEncoding;
use crate::webhook::webhooks::Webhooks;
use forge_domain::{Timestamp, WebhookId};
use forge_store::WakeChannel;
use forge_store::tables::effects::LeaseRequest;
use forge_store::tables::webhook_leases;
use forge_store::tables::webhooks::WebhookRow;
use futures::FutureExt;
use futures::future::join_all;
use tokio::task::JoinSet;

/// Fallback for lost wake-ups: no event is delayed longer than this.
const SWEEP_SECONDS: u64 = 10;

impl Webhooks {
    /// Delivers events until stopped: woken by commits, by the next due time, and by a slow sweep. Dropping the future
    /// breaks deliveries off; the next start repeats them.
    pub(crate) async fn run_delivery_loop(&self) {
        let Some(encode) = self.encode else { return std::future::pending().await };
        let mut wakes = self.db.subscribe(WakeChannel::Events);
        let mut senders = JoinSet::new();
        loop {
            let next = match self.start_senders(&mut senders, encode).await {
                Ok(next) => next,
                Err(error) => {
                    tracing::error!(%error, "could not lease webhooks; retrying");
                    self.clock.now().plus_seconds(1)
                }
            };
            tokio::select! {
                () = self.clock.wait_until(next) => {}
                wake = wakes.next() => {
                    if wake.is_none() { return }
                    // Combine a burst of commits into one look.
                    while let Some(wake) = wakes.next().now_or_never() {
                        if wake.is_none() { return }
                    }
                }
                // An event that was committed while a sender ended has been announced already; look again.
                Some(_) = senders.join_next(), if !senders.is_empty() => {}
            }
        }
    }

    /// Starts a sender for each webhook that is due, and returns when to look again at the latest.
    async fn start_senders(
        &self,
        senders: &mut JoinSet<()>,
        encode: EventEncoding,
    ) -> Result<Timestamp, EngineError> {
        let mut next = self.clock.now().plus_seconds(SWEEP_SECONDS);
        for (id, ready_at) in webhook_leases::list_behind(&self.db).await? {
            if ready_at > self.clock.now() {
                next = next.min(ready_at);
            } else if let Some(webhook) = self.lease_webhook(id).await? {
                let sender = self.clone();
                senders.spawn(async move { sender.deliver_leased(webhook, encode).await });
            }
        }
        Ok(next)
    }

    /// Delivers everything that is due now, for tests with a manual clock.
    pub async fn deliver_due(&self) -> Result<(), EngineError> {
        let Some(encode) = self.encode else { return Ok(()) };
        loop {
            let mut leased = Vec::new();
            for (id, ready_at) in webhook_leases::list_behind(&self.db).await? {
                if ready_at <= self.clock.now() {
                    leased.extend(self.lease_webhook(id).await?);
                }
            }
            if leased.is_empty() {
                return Ok(());
            }
            join_all(leased.into_iter().map(|webhook| self.deliver_leased(webhook, encode))).await;
        }
    }

    async fn lease_webhook(&self, id: WebhookId) -> Result<Option<WebhookRow>, EngineError> {
        let now = self.clock.now();
        let by = LeaseRequest { node: self.node.clone(), now, until: self.lease_end(now) };
        let leased = self.db.write_relaxed(move |tx| {
            let by = by.clone();
            Box::pin(async move { webhook_leases::lease(tx, id, &by).await })
        });
        Ok(leased.await?)
    }
}
