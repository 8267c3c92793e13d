//! The successor of a landed task: the task that reverts or fixes it.

use crate::admin::TaskSpec;
use crate::command::commit::{EffectEnd, EffectLease, close_effect, store_decision};
use crate::command::errors::EngineError;
use crate::command::facts;
use crate::command::lookup::require_found;
use crate::engine::{Engine, EngineInner};
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::TaskStanding;
use forge_domain::{
    Actor, CommandEnvelope, CommandId, PersonReason, ProjectId, TaskCommand, TaskId, decide,
};
use forge_store::tables::effects::{EffectRow, LeaseRequest};
use forge_store::{Tx, tables};
use std::sync::Arc;

/// Offset for command ids derived here, apart from those derived when a task is created.
const TOLD: u32 = 1000;

/// The task that reverts or fixes another task's landing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuccessorOutcome {
    pub task: TaskSnapshot,
    /// Whether this call created it; false if it existed before.
    pub is_new: bool,
}

/// The request for a successor task.
pub(crate) struct SuccessorRequest {
    pub(crate) landed: TaskId,
    pub(crate) project: ProjectId,
    pub(crate) spec: TaskSpec,
    /// Reads the existing successor from the landed task, if any.
    pub(crate) find_existing: fn(&TaskSnapshot) -> Option<TaskId>,
    /// Builds the command that tells the landed task about its successor.
    pub(crate) inform_command: Box<dyn Fn(TaskId) -> TaskCommand + Send + Sync>,
}

impl Engine {
    /// Creates the successor of a landed task and informs that task in one transaction. Returns the existing successor
    /// unless that one was cancelled. If an effect is given, the same transaction finishes it.
    pub(crate) async fn create_successor(
        &self,
        actor: Actor,
        succession: SuccessorRequest,
        step: Option<EffectLease>,
    ) -> Result<SuccessorOutcome, EngineError> {
        self.0.faults.reach("command.received").await?;
        let envelope = self.envelope(actor, succession);
        let engine = self.clone();
        let made = self.0.tasks.spawn(async move {
            let (inner, taker) = (engine.0.clone(), engine.lease_request());
            let envelope = Arc::new(envelope);
            let written = engine.0.db.write(move |tx| {
                let (inner, envelope, taker) = (inner.clone(), envelope.clone(), taker.clone());
                Box::pin(async move {
                    Box::pin(inner.create_successor_in(tx, &envelope, step, taker.as_ref())).await
                })
            });
            let (successor, taken) = written.await?;
            engine.start_leased_effects(taken);
            Ok::<_, EngineError>(successor)
        });
        let successor =
            made.await.map_err(|_| EngineError::from(forge_store::StoreError::Closed))??;
        self.0.faults.reach("command.committed").await?;
        Ok(successor)
    }
}

impl EngineInner {
    async fn create_successor_in(
        &self,
        tx: &mut Tx,
        envelope: &CommandEnvelope<SuccessorRequest>,
        step: Option<EffectLease>,
        taker: Option<&LeaseRequest>,
    ) -> Result<(SuccessorOutcome, Vec<EffectRow>), EngineError> {
        let asked = &envelope.command;
        // Lock in the same order as every other command that creates a task, to avoid a deadlock.
        require_found(
            tables::projects::load_with_shared_lock(tx, asked.project).await?,
            "project",
            asked.project,
        )?;
        let landed =
            require_found(tables::tasks::lock(tx, asked.landed).await?, "task", asked.landed)?;
        let (at, actor) = (envelope.at, envelope.actor.clone());
        if let Some(first) = (asked.find_existing)(&landed)
            && let Some(first) = tables::tasks::load_in(tx, first).await?
            && first.standing != TaskStanding::Ended
        {
            if let Some(claimed) = step {
                close_effect(tx, claimed, EffectEnd::Finished, at).await?;
            }
            return Ok((SuccessorOutcome { task: first, is_new: false }, Vec::new()));
        }
        if let Some(claimed) = step {
            close_effect(tx, claimed, EffectEnd::Finished, at).await?;
        }
        let id = envelope.id;
        let command = asked.spec.clone();
        let new = CommandEnvelope { id, at, actor: actor.clone(), command };
        let (task, mut taken) = Box::pin(self.create_in(tx, asked.project, &new, taker)).await?;
        let command = (asked.inform_command)(task.id);
        let told = CommandEnvelope { id: CommandId::new(id.derive(TOLD)), at, actor, command };
        let workflow = self.workflows.load_in(tx, &landed.workflow).await?;
        let facts = facts::load(tx, &landed, &told, &self.limits, &self.workflows).await?;
        let decision = decide(&workflow, &landed, &facts, &told)?;
        let before = PersonReason::of(&workflow, &landed);
        taken.extend(store_decision(tx, &workflow, &decision, &told.actor, taker, before).await?);
        Ok((SuccessorOutcome { task, is_new: true }, taken))
    }
}
