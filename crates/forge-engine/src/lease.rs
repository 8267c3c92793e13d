//! Taking, keeping and giving back the right to carry out a step.

use crate::commit::Claimed;
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::Timestamp;
use forge_store::tables::{self, effects::EffectRow};

impl Engine {
    /// Takes the step if it is still to be had.
    pub(crate) async fn lease(&self, row: &EffectRow) -> Result<Option<Claimed>, EngineError> {
        let (effect, node, now) = (row.id, self.0.home.node().to_string(), self.0.clock.now());
        let until = now.plus_seconds(self.0.limits.lease_seconds);
        let fence = self
            .0
            .db
            .write(move |tx| {
                let node = node.clone();
                Box::pin(async move { tables::effects::lease(tx, effect, &node, now, until).await })
            })
            .await?;
        Ok(fence.map(|fence| Claimed { effect, fence }))
    }

    /// Shows that this node lives: everything it holds is held on.
    pub(crate) async fn keep_leases(&self) -> Result<(), EngineError> {
        let (node, until) = (
            self.0.home.node().to_string(),
            self.0.clock.now().plus_seconds(self.0.limits.lease_seconds),
        );
        self.0
            .db
            .write(move |tx| {
                let node = node.clone();
                Box::pin(async move { tables::effects::extend(tx, &node, until).await })
            })
            .await?;
        Ok(())
    }

    /// Puts the step back, to be tried again later.
    pub(crate) async fn retry_later(
        &self,
        claimed: Claimed,
        error: String,
        at: Timestamp,
    ) -> Result<(), EngineError> {
        let Claimed { effect, fence } = claimed;
        let held = self
            .0
            .db
            .write(move |tx| {
                let error = error.clone();
                Box::pin(
                    async move { tables::effects::retry_at(tx, effect, fence, &error, at).await },
                )
            })
            .await?;
        if held { Ok(()) } else { Err(EngineError::StaleLease) }
    }

    /// Writes down what a step is about to do, so that the next holder can compare it with what it finds.
    pub(crate) async fn journal(
        &self,
        claimed: Claimed,
        intent: &impl serde::Serialize,
    ) -> Result<(), EngineError> {
        let Claimed { effect, fence } = claimed;
        let text = serde_json::to_string(intent)
            .map_err(|error| EngineError::Corrupt(error.to_string()))?;
        let held = self
            .0
            .db
            .write(move |tx| {
                let text = text.clone();
                Box::pin(async move { tables::effects::note(tx, effect, fence, &text).await })
            })
            .await?;
        if held { Ok(()) } else { Err(EngineError::StaleLease) }
    }

    /// The steps that may be carried out now.
    pub(crate) async fn due(&self) -> Result<Vec<EffectRow>, EngineError> {
        const AT_ONCE: u32 = 64;
        Ok(tables::effects::due(&self.0.db, self.0.clock.now(), AT_ONCE).await?)
    }
}
