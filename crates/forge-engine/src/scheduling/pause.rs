//! Pausing the scheduler as a whole (E-10), and how it stands.

use crate::engine::Engine;
use crate::errors::EngineError;
use forge_domain::dispatch::Lack;
use forge_domain::{Actor, Timestamp};
use forge_store::tables::{self, events::NewEvent};

/// How the scheduler stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DispatchState {
    /// Since when nothing is given out.
    pub paused_at: Option<Timestamp>,
    /// The runs of agents on this node.
    pub running: u32,
    /// How many it takes.
    pub max_concurrent: Option<u32>,
    /// What this machine lacks to begin another.
    pub lacks: Vec<Lack>,
}

impl Engine {
    /// Pauses the scheduler, or lets it go on; doing so twice changes nothing. People and their claims go on.
    pub async fn pause_dispatch(&self, actor: Actor, pause: bool) -> Result<(), EngineError> {
        let now = self.now();
        self.0
            .db
            .write(move |tx| {
                let actor = actor.clone();
                Box::pin(async move {
                    if tables::dispatch::paused_at_in(tx).await?.is_some() == pause {
                        return Ok(());
                    }
                    tables::dispatch::set_paused(tx, pause.then_some(now)).await?;
                    let kind = if pause { "dispatch.paused" } else { "dispatch.resumed" };
                    let data = serde_json::json!({ "paused": pause });
                    let event = NewEvent { kind: kind.to_owned(), version: 0, at: now, data };
                    let none = tables::counters::NO_PROJECT;
                    tables::events::append(tx, none, &actor, None, &[event]).await?;
                    Ok::<_, EngineError>(())
                })
            })
            .await
    }

    /// How the scheduler stands on this node.
    pub async fn dispatch_state(&self) -> Result<DispatchState, EngineError> {
        let loads = tables::dispatch::loads(self.db()).await?;
        Ok(DispatchState {
            paused_at: tables::dispatch::paused_at(self.db()).await?,
            running: self.running_here(&loads).await?,
            max_concurrent: self.0.limits.agents,
            lacks: self.load_lacks(),
        })
    }
}
