//! Loads, decides and commits in one write transaction: the only way to change a task.

use crate::command::clock::Clock;
use crate::command::commit_follow_ups::CommitFollowUps;
use crate::command::errors::EngineError;
use crate::command::event_log::{append_events, append_task_events};
use crate::command::facts;
use crate::command::id_source::IdSource;
use crate::command::needs_person::{append_notifications, record_person_wait};
use crate::command::workflow_cache::WorkflowCache;
use crate::dispatch::update_waiting_queue;
use crate::effects::engine_tasks::EngineTasks;
use crate::effects::faults::FaultPoints;
use crate::effects::lease::{EffectLease, EffectLeases};
use crate::radar::moves_a_branch;
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::Workflow;
use forge_domain::{
    Actor, CommandEnvelope, CommandId, Decision, EffectReport, PersonReason, ProjectId,
    TaskCommand, TaskId, Timestamp, decide,
};
use forge_store::tables::effects::{EffectEnding, EffectRow, LeaseRequest};
use forge_store::tables::events::NewEvent;
use forge_store::{Db, StoreError, Tx, tables};
use std::sync::Arc;

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

/// Applies commands to tasks; clones share one database.
#[derive(Debug, Clone)]
pub struct Commands {
    pub(crate) db: Db,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: IdSource,
    pub(crate) faults: FaultPoints,
    pub(crate) workflows: WorkflowCache,
    pub(crate) leases: EffectLeases,
    pub(crate) tasks: EngineTasks,
    pub(crate) follow_ups: CommitFollowUps,
    /// Seconds until the workspace of a cancelled task is removed.
    pub(crate) cleanup_delay_seconds: u64,
}

/// A committed decision, and what follows from it.
struct CommittedDecision {
    task: TaskSnapshot,
    leased: Vec<EffectRow>,
    moves_branch: bool,
}

impl Commands {
    /// Applies a command to a task.
    pub async fn handle(
        &self,
        actor: Actor,
        task: TaskId,
        command: TaskCommand,
    ) -> Result<TaskSnapshot, EngineError> {
        self.commit(actor, task, command, None).await
    }

    /// Commits the report of an effect. It counts only while the effect's lease is held.
    pub(crate) async fn report(
        &self,
        row: &EffectRow,
        lease: EffectLease,
        report: EffectReport,
        end: EffectEnd,
    ) -> Result<(), EngineError> {
        let actor = Actor::system(row.effect.name());
        let command = TaskCommand::Report(report);
        self.commit(actor, row.task_id, command, Some((lease, end))).await?;
        Ok(())
    }

    /// A command with its id and time.
    pub(crate) fn envelope<C>(&self, actor: Actor, command: C) -> CommandEnvelope<C> {
        let at = self.clock.now();
        CommandEnvelope { id: CommandId::new(self.ids.next(at)), at, actor, command }
    }

    /// Runs a transaction that may lease effects, and starts them. It runs in a task of its own: if the client
    /// disconnects, the leased effects still start.
    pub(crate) async fn run_to_end<T: Send + 'static>(
        &self,
        transaction: impl Future<Output = Result<T, EngineError>> + Send + 'static,
    ) -> Result<T, EngineError> {
        self.tasks.spawn(transaction).await.map_err(|_| EngineError::from(StoreError::Closed))?
    }

    /// Appends an event that no decision made, such as the change of a train.
    pub(crate) async fn append_event(
        &self,
        stream: ProjectId,
        actor: Actor,
        event: NewEvent,
    ) -> Result<(), StoreError> {
        let appended = self.db.write(move |tx| {
            let (actor, event) = (actor.clone(), event.clone());
            Box::pin(async move { append_events(tx, stream, &actor, &[event]).await })
        });
        appended.await.map(drop)
    }

    async fn commit(
        &self,
        actor: Actor,
        task: TaskId,
        command: TaskCommand,
        effect: Option<(EffectLease, EffectEnd)>,
    ) -> Result<TaskSnapshot, EngineError> {
        self.faults.reach("command.received").await?;
        let envelope = Arc::new(self.envelope(actor, command));
        let commands = self.clone();
        let decided =
            self.run_to_end(async move { commands.decide(task, envelope, effect).await }).await?;
        self.faults.reach("command.committed").await?;
        Ok(decided)
    }

    async fn decide(
        &self,
        task: TaskId,
        envelope: Arc<CommandEnvelope>,
        effect: Option<(EffectLease, EffectEnd)>,
    ) -> Result<TaskSnapshot, EngineError> {
        let lease_request = self.leases.lease_request();
        let takes_worktree = takes_pooled_worktree(&envelope.command);
        let commands = self.clone();
        let decided = self.db.write(move |tx| {
            let (commands, envelope, lease_request) =
                (commands.clone(), envelope.clone(), lease_request.clone());
            Box::pin(async move {
                commands.decide_in(tx, task, &envelope, effect, lease_request.as_ref()).await
            })
        });
        let CommittedDecision { task, leased, moves_branch } = decided.await?;
        self.follow_ups.effects.start(leased);
        if moves_branch {
            self.follow_ups.radar.add(&task);
        }
        // Refill the pool only now, so that the effect waiting for the workspace runs first.
        if takes_worktree {
            self.follow_ups.pools.maintain_pool(task.repo_id);
        }
        Ok(task)
    }

    async fn decide_in(
        &self,
        tx: &mut Tx,
        task: TaskId,
        envelope: &CommandEnvelope,
        effect: Option<(EffectLease, EffectEnd)>,
        lease_request: Option<&LeaseRequest>,
    ) -> Result<CommittedDecision, EngineError> {
        let Some(snapshot) = tables::tasks::lock(tx, task).await? else {
            return Err(EngineError::NotFound { noun: "task", id: task.to_string() });
        };
        if let Some((lease, end)) = effect {
            close_effect(tx, lease, end, envelope.at).await?;
        }
        let (decision, leased) = self.apply_in(tx, &snapshot, envelope, lease_request).await?;
        let moves_branch = moves_a_branch(&decision.events);
        Ok(CommittedDecision { task: decision.snapshot, leased, moves_branch })
    }

    /// Decides a command on a locked task and stores the decision. Returns it with the effects that this engine leased
    /// at once.
    pub(crate) async fn apply_in(
        &self,
        tx: &mut Tx,
        task: &TaskSnapshot,
        envelope: &CommandEnvelope,
        lease_request: Option<&LeaseRequest>,
    ) -> Result<(Decision, Vec<EffectRow>), EngineError> {
        let workflow = self.workflows.load_in(tx, &task.workflow).await?;
        let delay = self.cleanup_delay_seconds;
        let facts = facts::load(tx, task, envelope, delay, &self.workflows).await?;
        let decision = decide(&workflow, task, &facts, envelope)?;
        if decision.supersedes {
            tables::effects::supersede(tx, task.id, envelope.at).await?;
        }
        let before = PersonReason::of(&workflow, task);
        let stored =
            store_decision(tx, &workflow, &decision, &envelope.actor, lease_request, before);
        let leased = stored.await?;
        Ok((decision, leased))
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

/// Finishes an effect, or checks that its lease is still held.
pub(crate) async fn close_effect(
    tx: &mut Tx,
    lease: EffectLease,
    end: EffectEnd,
    at: Timestamp,
) -> Result<(), EngineError> {
    let EffectLease { effect_id, fence } = lease;
    let held = match end {
        EffectEnd::NotYet => tables::effects::holds_lease(tx, effect_id, fence).await?,
        EffectEnd::Finished => {
            tables::effects::finish(tx, effect_id, fence, EffectEnding::Finished, at).await?
        }
        EffectEnd::Failed => {
            tables::effects::finish(tx, effect_id, fence, EffectEnding::Failed, at).await?
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
    lease_request: Option<&LeaseRequest>,
    before: Option<PersonReason>,
) -> Result<Vec<EffectRow>, EngineError> {
    if decision.events.is_empty() && decision.effects.is_empty() {
        return Ok(Vec::new());
    }
    let task = &decision.snapshot;
    tables::tasks::put(tx, task).await?;
    tables::projection::record(tx, task, &decision.events, actor).await?;
    append_task_events(tx, task.project_id, task.id, actor, &decision.events).await?;
    let leased =
        tables::effects::insert_planned(tx, task, &decision.effects, lease_request).await?;
    update_waiting_queue(tx, workflow, task, &decision.events).await?;
    record_person_wait(tx, workflow, task, before).await?;
    append_notifications(tx, workflow, task, actor, &decision.events, before).await?;
    Ok(leased)
}
