//! Leases on effects: acquire, renew, return.

use crate::command::clock::Clock;
use crate::command::errors::EngineError;
use crate::effects::executor_loops::ExecutorLoops;
use crate::effects::held_effects::HeldEffects;
use forge_domain::{EffectId, TaskId, Timestamp};
use forge_store::tables::{
    self,
    effects::{EffectRetry, EffectRow, LeaseRequest},
};
use forge_store::{Db, StoreError};

use std::sync::Arc;
use uuid::Uuid;

/// Proof of the lease under which a report is made. The report counts only while the lease is held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EffectLease {
    pub(crate) effect_id: EffectId,
    pub(crate) fence: i64,
}

/// Leases effects to this node.
#[derive(Debug, Clone)]
pub(crate) struct EffectLeases {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) node: Uuid,
    /// Lifetime of a lease without renewal.
    pub(crate) lease_seconds: u64,
    pub(crate) held: HeldEffects,
    pub(crate) loops: ExecutorLoops,
}

/// Why an effect is returned to the queue.
#[derive(Debug, Clone)]
pub(crate) enum RetryReason {
    /// The effect failed.
    Failed(String),
    /// The effect waits for something outside.
    Waiting(String),
    /// The effect waits, and later commands on the task need not wait for it.
    Yielding(String),
}

impl EffectLeases {
    /// Leases the effect if it is available; returns its row with the journal of an earlier attempt.
    pub(crate) async fn lease_effect(
        &self,
        effect: EffectId,
    ) -> Result<Option<EffectRow>, EngineError> {
        let by = self.own_lease_request();
        let leased = self
            .db
            .write_relaxed(move |tx| {
                let LeaseRequest { node, now, until } = by.clone();
                Box::pin(async move { tables::effects::lease(tx, effect, &node, now, until).await })
            })
            .await?;
        Ok(leased)
    }

    /// The request to lease a decision's effects in its own transaction, which saves a search. `None` if this engine
    /// does not perform effects; then another one leases them.
    pub(crate) fn lease_request(&self) -> Option<LeaseRequest> {
        self.loops.is_executing().then(|| self.own_lease_request())
    }

    fn own_lease_request(&self) -> LeaseRequest {
        let (node, now) = (self.node.to_string(), self.clock.now());
        LeaseRequest { node, now, until: now.plus_seconds(self.lease_seconds) }
    }

    /// Renews the node's heartbeat and the leases of effects in progress.
    pub(crate) async fn renew_leases(&self) -> Result<(), EngineError> {
        let LeaseRequest { node, now, .. } = self.own_lease_request();
        self.db
            .write_relaxed(move |tx| {
                let node = node.clone();
                Box::pin(async move { tables::nodes::record_heartbeat(tx, &node, now).await })
            })
            .await?;
        let held = self.held.ids();
        if held.is_empty() {
            return Ok(());
        }
        let node = self.node.to_string();
        let until = self.clock.now().plus_seconds(self.lease_seconds);
        let kept: Result<(), StoreError> = self
            .db
            .write(move |tx| {
                let (node, held) = (node.clone(), held.clone());
                Box::pin(async move {
                    for effect in held {
                        tables::effects::extend(tx, effect, &node, until).await?;
                    }
                    Ok(())
                })
            })
            .await;
        Ok(kept?)
    }

    /// Returns the effect to the queue, to be retried later.
    pub(crate) async fn retry_later(
        &self,
        lease: EffectLease,
        why: RetryReason,
        at: Timestamp,
    ) -> Result<(), EngineError> {
        let EffectLease { effect_id: effect, fence } = lease;
        let held = self
            .db
            .write(move |tx| {
                let why = why.clone();
                Box::pin(async move {
                    let why = match &why {
                        RetryReason::Failed(error) => EffectRetry::Failed(error),
                        RetryReason::Waiting(error) => EffectRetry::Waiting(error),
                        RetryReason::Yielding(error) => EffectRetry::WaitingUntilMove(error),
                    };
                    tables::effects::retry_at(tx, effect, fence, why, at).await
                })
            })
            .await?;
        if held { Ok(()) } else { Err(EngineError::StaleLease) }
    }

    /// Journals what an effect is about to do, so that the next attempt can compare it with reality.
    pub(crate) async fn journal_intent(
        &self,
        lease: EffectLease,
        intent: &impl serde::Serialize,
    ) -> Result<(), EngineError> {
        let EffectLease { effect_id: effect, fence } = lease;
        let text = serde_json::to_string(intent)
            .map_err(|error| EngineError::Corrupt(error.to_string()))?;
        let held = self
            .db
            .write_relaxed(move |tx| {
                let text = text.clone();
                Box::pin(
                    async move { tables::effects::write_journal(tx, effect, fence, &text).await },
                )
            })
            .await?;
        if held { Ok(()) } else { Err(EngineError::StaleLease) }
    }

    /// Journals a landing, unless the task moved on. Returns false in that case, and the landing must stop.
    pub(crate) async fn journal_landing(
        &self,
        lease: EffectLease,
        intent: &impl serde::Serialize,
        task: TaskId,
        visit: u64,
    ) -> Result<bool, EngineError> {
        let EffectLease { effect_id: effect, fence } = lease;
        let text = serde_json::to_string(intent)
            .map_err(|error| EngineError::Corrupt(error.to_string()))?;
        self.db
            .write(move |tx| {
                let text = text.clone();
                Box::pin(async move {
                    // With the task locked, a move either happened before and is seen here, or later sees the landing
                    // in progress.
                    let current = tables::tasks::lock(tx, task).await?;
                    if current.is_none_or(|current| current.visit != visit) {
                        return Ok(false);
                    }
                    match tables::effects::write_journal(tx, effect, fence, &text).await? {
                        true => Ok(true),
                        false => Err(EngineError::StaleLease),
                    }
                })
            })
            .await
    }

    /// The effects that are due now.
    pub(crate) async fn load_due_effects(&self) -> Result<Vec<EffectRow>, EngineError> {
        const AT_ONCE: u32 = 64;
        Ok(tables::effects::list_due(&self.db, &self.own_lease_request(), AT_ONCE).await?)
    }
}
