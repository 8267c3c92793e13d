//! The task that another's landing leads to.

use crate::commit::{Claimed, Closing, close_step, save};
use crate::engine::{Engine, Inner};
use crate::errors::EngineError;
use crate::facts;
use crate::lookup::found;
use crate::registry::NewTask;
use forge_domain::task::Snapshot;
use forge_domain::workflow::Standing;
use forge_domain::{Actor, Command, CommandId, Envelope, ProjectId, TaskId, decide};
use forge_store::tables::effects::{EffectRow, Taker};
use forge_store::{Tx, tables};
use std::sync::Arc;

/// Apart from what the making of a task derives.
const TOLD: u32 = 1000;

/// A task that takes back or mends what another landed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Successor {
    /// The task.
    pub task: Snapshot,
    /// Whether it was made now; one that was asked for before is named again.
    pub made: bool,
}

/// What leads to it.
pub(super) struct Succession {
    pub(super) landed: TaskId,
    pub(super) project: ProjectId,
    pub(super) asked: NewTask,
    /// The successor that the landed task has, if any.
    pub(super) known: fn(&Snapshot) -> Option<TaskId>,
    /// What the landed task is told about its successor.
    pub(super) tell: Box<dyn Fn(TaskId) -> Command + Send + Sync>,
}

impl Engine {
    /// Makes the successor of a landed task and tells that task, at once; names the one there is, unless that was
    /// called off. With a step, that is closed by it.
    pub(super) async fn succeed(
        &self,
        actor: Actor,
        succession: Succession,
        step: Option<Claimed>,
    ) -> Result<Successor, EngineError> {
        self.0.faults.reach("command.received").await?;
        let envelope = self.envelope(actor, succession);
        let engine = self.clone();
        let made = self.0.tasks.spawn(async move {
            let (inner, taker) = (engine.0.clone(), engine.taker());
            let envelope = Arc::new(envelope);
            let written = engine.0.db.write(move |tx| {
                let (inner, envelope, taker) = (inner.clone(), envelope.clone(), taker.clone());
                Box::pin(async move {
                    Box::pin(inner.succeed_in(tx, &envelope, step, taker.as_ref())).await
                })
            });
            let (successor, taken) = written.await?;
            engine.begin_taken(taken);
            Ok::<_, EngineError>(successor)
        });
        let successor =
            made.await.map_err(|_| EngineError::from(forge_store::StoreError::Closed))??;
        self.0.faults.reach("command.committed").await?;
        Ok(successor)
    }
}

impl Inner {
    async fn succeed_in(
        &self,
        tx: &mut Tx,
        envelope: &Envelope<Succession>,
        step: Option<Claimed>,
        taker: Option<&Taker>,
    ) -> Result<(Successor, Vec<EffectRow>), EngineError> {
        let asked = &envelope.command;
        // In the order in which every new task takes them.
        found(tables::projects::enter(tx, asked.project).await?, "project", asked.project)?;
        let landed = found(tables::tasks::lock(tx, asked.landed).await?, "task", asked.landed)?;
        let (at, actor) = (envelope.at, envelope.actor.clone());
        if let Some(first) = (asked.known)(&landed)
            && let Some(first) = tables::tasks::load_in(tx, first).await?
            && first.standing != Standing::Ended
        {
            if let Some(claimed) = step {
                close_step(tx, claimed, Closing::Finished, at).await?;
            }
            return Ok((Successor { task: first, made: false }, Vec::new()));
        }
        if let Some(claimed) = step {
            close_step(tx, claimed, Closing::Finished, at).await?;
        }
        let id = envelope.id;
        let command = asked.asked.clone();
        let new = Envelope { id, at, actor: actor.clone(), command };
        let (task, mut taken) = Box::pin(self.create_in(tx, asked.project, &new, taker)).await?;
        let command = (asked.tell)(task.id);
        let told = Envelope { id: CommandId::new(id.derive(TOLD)), at, actor, command };
        let workflow = self.workflows.load_in(tx, &landed.workflow).await?;
        let facts = facts::load(tx, &landed, &told, &self.limits, &self.workflows).await?;
        let decision = decide(&workflow, &landed, &facts, &told)?;
        taken.extend(save(tx, &workflow, &decision, &told.actor, taker).await?);
        Ok((Successor { task, made: true }, taken))
    }
}
