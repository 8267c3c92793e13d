//! Taking, keeping and giving back the right to carry out a step.

use crate::commit::Claimed;
use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::{EffectId, TaskId, Timestamp};
use forge_store::StoreError;
use forge_store::tables::{
    self,
    effects::{EffectRow, Retry, Taker},
};

/// Why a step is put back.
#[derive(Debug, Clone)]
pub(crate) enum GivenBack {
    /// It failed.
    Failed(String),
    /// It has to wait for something outside.
    Waits(String),
    /// The same, and nobody who moves the task on has to wait for it.
    Yields(String),
}

impl Engine {
    /// Takes the step if it is still to be had: as it is now, with what an earlier holder wrote down.
    pub(crate) async fn lease(&self, effect: EffectId) -> Result<Option<EffectRow>, EngineError> {
        let by = self.itself();
        let leased = self
            .0
            .db
            .note(move |tx| {
                let Taker { node, now, until } = by.clone();
                Box::pin(async move { tables::effects::lease(tx, effect, &node, now, until).await })
            })
            .await?;
        Ok(leased)
    }

    /// Takes with each decision what it wants done at once, while this engine carries out steps: nobody has to look for
    /// it then. An engine that only decides leaves it to whoever does.
    pub(crate) fn taker(&self) -> Option<Taker> {
        self.0.at_work.is_so().then(|| self.itself())
    }

    fn itself(&self) -> Taker {
        let (node, now) = (self.0.home.node().to_string(), self.0.clock.now());
        Taker { node, now, until: now.plus_seconds(self.0.limits.lease_seconds) }
    }

    /// Shows that this node lives, and the workers of these steps.
    pub(crate) async fn keep_leases(&self) -> Result<(), EngineError> {
        let Taker { node, now, .. } = self.itself();
        self.0
            .db
            .note(move |tx| {
                let node = node.clone();
                Box::pin(async move { tables::nodes::beat(tx, &node, now).await })
            })
            .await?;
        let held = self.0.held.ids();
        if held.is_empty() {
            return Ok(());
        }
        let node = self.0.home.node().to_string();
        let until = self.0.clock.now().plus_seconds(self.0.limits.lease_seconds);
        let kept: Result<(), StoreError> = self
            .0
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

    /// Puts the step back, to be tried again later.
    pub(crate) async fn retry_later(
        &self,
        claimed: Claimed,
        why: GivenBack,
        at: Timestamp,
    ) -> Result<(), EngineError> {
        let Claimed { effect, fence } = claimed;
        let held = self
            .0
            .db
            .write(move |tx| {
                let why = why.clone();
                Box::pin(async move {
                    let why = match &why {
                        GivenBack::Failed(error) => Retry::Failed(error),
                        GivenBack::Waits(error) => Retry::Waits(error),
                        GivenBack::Yields(error) => Retry::Yields(error),
                    };
                    tables::effects::retry_at(tx, effect, fence, why, at).await
                })
            })
            .await?;
        if held { Ok(()) } else { Err(EngineError::StaleLease) }
    }

    /// Writes down what a step is about to do, so that the next holder can compare it with what it finds
    /// on this machine.
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
            .note(move |tx| {
                let text = text.clone();
                Box::pin(async move { tables::effects::note(tx, effect, fence, &text).await })
            })
            .await?;
        if held { Ok(()) } else { Err(EngineError::StaleLease) }
    }

    /// Writes down what a landing is about to do, unless the task has moved on: false, and nothing is to be done.
    pub(crate) async fn journal_landing(
        &self,
        claimed: Claimed,
        intent: &impl serde::Serialize,
        task: TaskId,
        visit: u64,
    ) -> Result<bool, EngineError> {
        let Claimed { effect, fence } = claimed;
        let text = serde_json::to_string(intent)
            .map_err(|error| EngineError::Corrupt(error.to_string()))?;
        self.0
            .db
            .write(move |tx| {
                let text = text.clone();
                Box::pin(async move {
                    // With the task locked, a move either comes before and is seen here, or sees a landing under way.
                    let current = tables::tasks::lock(tx, task).await?;
                    if current.is_none_or(|current| current.visit != visit) {
                        return Ok(false);
                    }
                    match tables::effects::note(tx, effect, fence, &text).await? {
                        true => Ok(true),
                        false => Err(EngineError::StaleLease),
                    }
                })
            })
            .await
    }

    /// The steps that may be carried out now.
    pub(crate) async fn due(&self) -> Result<Vec<EffectRow>, EngineError> {
        const AT_ONCE: u32 = 64;
        Ok(tables::effects::due(&self.0.db, &self.itself(), AT_ONCE).await?)
    }
}
