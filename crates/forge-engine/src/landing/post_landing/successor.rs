//! The successor of a landed task: the task that reverts or fixes it.

use crate::admin::TaskSpec;
use crate::command::commit::{Commands, EffectEnd, close_effect};
use crate::command::errors::EngineError;
use crate::command::lookup::require_found;
use crate::effects::lease::EffectLease;
use crate::landing::post_landing::PostLanding;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::TaskStanding;
use forge_domain::{Actor, CommandEnvelope, CommandId, ProjectId, TaskCommand, TaskId};
use forge_store::tables::effects::{EffectRow, LeaseRequest};
use forge_store::{Tx, tables};
use std::sync::Arc;

/// Offset for command ids derived here, apart from those derived when a task is created.
const INFORM: u32 = 1000;

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

impl PostLanding {
    /// Creates the successor of a landed task and informs that task in one transaction. Returns the existing successor
    /// unless that one was cancelled. If an effect is given, the same transaction finishes it.
    pub(crate) async fn create_successor(
        &self,
        actor: Actor,
        request: SuccessorRequest,
        effect: Option<EffectLease>,
    ) -> Result<SuccessorOutcome, EngineError> {
        let faults = &self.commands.faults;
        faults.reach("command.received").await?;
        let envelope = Arc::new(self.commands.envelope(actor, request));
        let commands = self.commands.clone();
        let successor = self.commands.run_to_end(async move {
            let lease_request = commands.leases.lease_request();
            let (writing, envelope) = (commands.clone(), envelope.clone());
            let written = commands.db.write(move |tx| {
                let (commands, envelope, lease_request) =
                    (writing.clone(), envelope.clone(), lease_request.clone());
                Box::pin(async move {
                    let request = lease_request.as_ref();
                    Box::pin(create_successor_in(&commands, tx, &envelope, effect, request)).await
                })
            });
            let (successor, leased) = written.await?;
            commands.follow_ups.effects.start(leased);
            Ok(successor)
        });
        let successor = successor.await?;
        faults.reach("command.committed").await?;
        Ok(successor)
    }
}

async fn create_successor_in(
    commands: &Commands,
    tx: &mut Tx,
    envelope: &CommandEnvelope<SuccessorRequest>,
    effect: Option<EffectLease>,
    lease_request: Option<&LeaseRequest>,
) -> Result<(SuccessorOutcome, Vec<EffectRow>), EngineError> {
    let request = &envelope.command;
    // Lock in the same order as every other command that creates a task, to avoid a deadlock.
    require_found(
        tables::projects::load_with_shared_lock(tx, request.project).await?,
        "project",
        request.project,
    )?;
    let landed =
        require_found(tables::tasks::lock(tx, request.landed).await?, "task", request.landed)?;
    let (at, actor) = (envelope.at, envelope.actor.clone());
    if let Some(first) = (request.find_existing)(&landed)
        && let Some(first) = tables::tasks::load_in(tx, first).await?
        && first.standing != TaskStanding::Ended
    {
        if let Some(lease) = effect {
            close_effect(tx, lease, EffectEnd::Finished, at).await?;
        }
        return Ok((SuccessorOutcome { task: first, is_new: false }, Vec::new()));
    }
    if let Some(lease) = effect {
        close_effect(tx, lease, EffectEnd::Finished, at).await?;
    }
    let id = envelope.id;
    let command = request.spec.clone();
    let new = CommandEnvelope { id, at, actor: actor.clone(), command };
    let created = Box::pin(commands.create_in(tx, request.project, &new, lease_request)).await?;
    let (task, mut leased) = created;
    let command = (request.inform_command)(task.id);
    let inform = CommandEnvelope { id: CommandId::new(id.derive(INFORM)), at, actor, command };
    let (_, more) = commands.apply_in(tx, &landed, &inform, lease_request).await?;
    leased.extend(more);
    Ok((SuccessorOutcome { task, is_new: true }, leased))
}
