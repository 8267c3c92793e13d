//! Loads, decides and commits in one write transaction: the only way to change a task.

use crate::command::errors::EngineError;
use crate::command::facts;
use crate::command::needs_person::record_person_wait;
use crate::dispatch::update_waiting_queue;
use crate::engine::{Engine, EngineInner};
use crate::radar::moves_a_branch;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::Workflow;
use forge_domain::{
    Actor, CommandEnvelope, Decision, EffectId, EffectReport, PersonReason, TaskCommand, TaskId,
    Timestamp, decide,
};
use forge_store::tables::effects::{EffectEnding, EffectRow, LeaseRequest};
use forge_store::tables::events::NewEvent;
use forge_store::{StoreError, Tx, tables};
use std::sync::Arc;

/// Proof of the lease under which a report is made. The report counts only while the lease is held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EffectLease {
    pub(crate) effect_id: EffectId,
    pub(crate) fence: i64,
}

/// What happens to the effect when its report is committed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EffectEnd {
    /// The effect continues; this was an intermediate report.
    NotYet,
    /// The effect is finished.
    Finished,
    /// The effect ended without success.
    Failed,
}

impl Engine {
    /// Applies a command to a task.
    pub async fn handle(
        &self,
        actor: Actor,
        task: TaskId,
        command: TaskCommand,
    ) -> Result<TaskSnapshot, EngineError> {
        self.commit(actor, task, command, None).await
    }

    pub(crate) async fn commit(
        &self,
        actor: Actor,
        task: TaskId,
        command: TaskCommand,
        step: Option<(EffectLease, EffectEnd)>,
    ) -> Result<TaskSnapshot, EngineError> {
        self.0.faults.reach("command.received").await?;
        let envelope = Arc::new(self.envelope(actor, command));
        let engine = self.clone();
        // Run in a separate task: if the client disconnects, the effects leased with the decision still start.
        let decided = self.0.tasks.spawn(async move { engine.decide(task, envelope, step).await });
        let snapshot = decided.await.map_err(|_| EngineError::from(StoreError::Closed))??;
        self.0.faults.reach("command.committed").await?;
        Ok(snapshot)
    }

    async fn decide(
        &self,
        task: TaskId,
        envelope: Arc<CommandEnvelope>,
        step: Option<(EffectLease, EffectEnd)>,
    ) -> Result<TaskSnapshot, EngineError> {
        let (inner, taker) = (self.0.clone(), self.lease_request());
        let gives_away = takes_pooled_worktree(&envelope.command);
        let decided = self.0.db.write(move |tx| {
            let (inner, envelope, taker) = (inner.clone(), envelope.clone(), taker.clone());
            Box::pin(
                async move { inner.decide_in(tx, task, &envelope, step, taker.as_ref()).await },
            )
        });
        let (snapshot, taken, moves) = decided.await?;
        self.start_leased_effects(taken);
        if moves {
            self.0.radar.add(&snapshot);
        }
        // Refill the pool only now, so that the effect waiting for the workspace runs first.
        if gives_away {
            self.maintain_pool(snapshot.repo_id);
        }
        Ok(snapshot)
    }
}

impl EngineInner {
    async fn decide_in(
        &self,
        tx: &mut Tx,
        task: TaskId,
        envelope: &CommandEnvelope,
        step: Option<(EffectLease, EffectEnd)>,
        taker: Option<&LeaseRequest>,
    ) -> Result<(TaskSnapshot, Vec<EffectRow>, bool), EngineError> {
        let Some(snapshot) = tables::tasks::lock(tx, task).await? else {
            return Err(EngineError::NotFound { noun: "task", id: task.to_string() });
        };
        if let Some((claimed, closing)) = step {
            close_effect(tx, claimed, closing, envelope.at).await?;
        }
        let workflow = self.workflows.load_in(tx, &snapshot.workflow).await?;
        let facts = facts::load(tx, &snapshot, envelope, &self.limits, &self.workflows).await?;
        let decision = decide(&workflow, &snapshot, &facts, envelope)?;
        if decision.supersedes {
            tables::effects::supersede(tx, task, envelope.at).await?;
        }
        let before = PersonReason::of(&workflow, &snapshot);
        let taken =
            store_decision(tx, &workflow, &decision, &envelope.actor, taker, before).await?;
        let moves = moves_a_branch(&decision.events);
        Ok((decision.snapshot, taken, moves))
    }
}

/// Whether the command may have taken a worktree from the pool.
fn takes_pooled_worktree(command: &TaskCommand) -> bool {
    matches!(
        command,
        TaskCommand::Report(
            EffectReport::WorkspaceMade { .. }
                | EffectReport::WorkspaceReady { .. }
                | EffectReport::WorkspaceRenewed { .. }
                | EffectReport::Inverted { .. }
        )
    )
}

pub(crate) async fn close_effect(
    tx: &mut Tx,
    claimed: EffectLease,
    closing: EffectEnd,
    at: Timestamp,
) -> Result<(), EngineError> {
    let EffectLease { effect_id: effect, fence } = claimed;
    let held = match closing {
        EffectEnd::NotYet => tables::effects::holds_lease(tx, effect, fence).await?,
        EffectEnd::Finished => {
            tables::effects::finish(tx, effect, fence, EffectEnding::Finished, at).await?
        }
        EffectEnd::Failed => {
            tables::effects::finish(tx, effect, fence, EffectEnding::Failed, at).await?
        }
    };
    if held { Ok(()) } else { Err(EngineError::StaleLease) }
}

/// Stores a decision: the snapshot, its events, the derived rows and the effects. Returns the effects that this engine
/// leased at once. `before` is the reason for which the task waited for a person.
pub(crate) async fn store_decision(
    tx: &mut Tx,
    workflow: &Workflow,
    decision: &Decision,
    actor: &Actor,
    taker: Option<&LeaseRequest>,
    before: Option<PersonReason>,
) -> Result<Vec<EffectRow>, EngineError> {
    if decision.events.is_empty() && decision.effects.is_empty() {
        return Ok(Vec::new());
    }
    let task = &decision.snapshot;
    tables::tasks::put(tx, task).await?;
    tables::projection::record(tx, task, &decision.events, actor).await?;
    let events = decision.events.iter().map(NewEvent::of_task).collect::<Result<Vec<_>, _>>()?;
    tables::events::append(tx, task.project_id, actor, Some(task.id), &events).await?;
    let taken = tables::effects::insert_planned(tx, task, &decision.effects, taker).await?;
    update_waiting_queue(tx, workflow, task, &decision.events).await?;
    record_person_wait(tx, workflow, task, before).await?;
    Ok(taken)
}
