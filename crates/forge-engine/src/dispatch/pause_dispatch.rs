//! Pauses the scheduler (E-10), and shows its state.

use crate::command::errors::EngineError;
use crate::command::event_log::append_events;
use crate::dispatch::dispatch_round::Dispatch;
use forge_domain::dispatch::ResourceShortage;
use forge_domain::{Actor, Timestamp};
use forge_store::tables::{self, events::NewEvent};

/// The state of the scheduler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DispatchState {
    /// Since when it is paused, if so.
    pub paused_at: Option<Timestamp>,
    /// Running executions on this node.
    pub running: u32,
    /// The node's limit of executions.
    pub max_concurrent: Option<u32>,
    /// Resources that this machine lacks for another execution.
    pub lacks: Vec<ResourceShortage>,
}

impl Dispatch {
    /// Pauses or resumes the scheduler; repeating it changes nothing. Users can still claim.
    pub async fn pause_dispatch(&self, actor: Actor, pause: bool) -> Result<(), EngineError> {
        let now = self.clock.now();
        self.db
            .write(move |tx| {
                let actor = actor.clone();
                Box::pin(async move {
                    if tables::served_projects::paused_at_in(tx).await?.is_some() == pause {
                        return Ok(());
                    }
                    tables::served_projects::set_paused(tx, pause.then_some(now)).await?;
                    let kind = if pause { "dispatch.paused" } else { "dispatch.resumed" };
                    let data = serde_json::json!({ "paused": pause });
                    let event = NewEvent { kind: kind.to_owned(), version: 0, at: now, data };
                    let none = tables::counters::NO_PROJECT;
                    append_events(tx, none, &actor, &[event]).await?;
                    Ok::<_, EngineError>(())
                })
            })
            .await
    }

    /// The scheduler's state on this node.
    pub async fn dispatch_state(&self) -> Result<DispatchState, EngineError> {
        let loads = tables::served_projects::agent_loads(&self.db).await?;
        Ok(DispatchState {
            paused_at: tables::served_projects::paused_at(&self.db).await?,
            running: self.running_here(&loads).await?,
            max_concurrent: self.max_executions,
            lacks: self.load_lacks(),
        })
    }
}
