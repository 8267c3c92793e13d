//! Load, decide, commit: one write transaction, the only way to change a task.

use crate::engine::{Engine, Inner};
use crate::errors::EngineError;
use crate::facts;
use crate::radar::moves_a_branch;
use crate::scheduling::line_up;
use forge_domain::task::Snapshot;
use forge_domain::workflow::Workflow;
use forge_domain::{
    Actor, Command, Decision, Effect, EffectId, Envelope, Report, TaskId, Timestamp, decide,
};
use forge_store::tables::effects::{EffectEnding, EffectRow, Taker};
use forge_store::tables::events::NewEvent;
use forge_store::{StoreError, Tx, tables};
use std::sync::Arc;

/// The step a report belongs to: it counts only while its lease is held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claimed {
    pub(crate) effect: EffectId,
    pub(crate) fence: i64,
}

/// What becomes of the step when its report is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// It goes on; the report was from its middle.
    StaysOpen,
    /// It is over.
    Finished,
    /// It is over and did not succeed.
    Failed,
}

impl Engine {
    /// Carries out a command on a task.
    pub async fn handle(
        &self,
        actor: Actor,
        task: TaskId,
        command: Command,
    ) -> Result<Snapshot, EngineError> {
        self.commit(actor, task, command, None).await
    }

    pub(crate) async fn commit(
        &self,
        actor: Actor,
        task: TaskId,
        command: Command,
        step: Option<(Claimed, Closing)>,
    ) -> Result<Snapshot, EngineError> {
        self.0.faults.reach("command.received").await?;
        let envelope = Arc::new(self.envelope(actor, command));
        let engine = self.clone();
        // Whoever asked may hang up; what was taken with the decision is begun all the same.
        let decided = self.0.tasks.spawn(async move { engine.decide(task, envelope, step).await });
        let snapshot = decided.await.map_err(|_| EngineError::from(StoreError::Closed))??;
        self.0.faults.reach("command.committed").await?;
        Ok(snapshot)
    }

    async fn decide(
        &self,
        task: TaskId,
        envelope: Arc<Envelope>,
        step: Option<(Claimed, Closing)>,
    ) -> Result<Snapshot, EngineError> {
        let (inner, taker) = (self.0.clone(), self.taker());
        let gives_away = gives_a_workspace(&envelope.command);
        let claims = matches!(envelope.command, Command::Claim { .. });
        // Only where the step that needs them is begun at once.
        let head_start = (claims && taker.is_some()).then(|| self.begin_files(task)).flatten();
        let decided = self.0.db.write(move |tx| {
            let (inner, envelope, taker) = (inner.clone(), envelope.clone(), taker.clone());
            Box::pin(
                async move { inner.decide_in(tx, task, &envelope, step, taker.as_ref()).await },
            )
        });
        let (snapshot, taken, moves) = decided.await?;
        if let Some(head_start) = head_start
            && taken.iter().any(|row| matches!(row.effect, Effect::PrepareWorkspace { .. }))
        {
            head_start.grant();
        }
        self.begin_taken(taken);
        if moves {
            self.0.radar.add(&snapshot);
        }
        // Only now: whoever waits for the workspace comes before those that fill its place in the pool.
        if gives_away {
            self.tend_pool(snapshot.repo_id);
        }
        Ok(snapshot)
    }
}

impl Inner {
    async fn decide_in(
        &self,
        tx: &mut Tx,
        task: TaskId,
        envelope: &Envelope,
        step: Option<(Claimed, Closing)>,
        taker: Option<&Taker>,
    ) -> Result<(Snapshot, Vec<EffectRow>, bool), EngineError> {
        let Some(snapshot) = tables::tasks::lock(tx, task).await? else {
            return Err(EngineError::NotFound { noun: "task", id: task.to_string() });
        };
        if let Some((claimed, closing)) = step {
            close_step(tx, claimed, closing, envelope.at).await?;
        }
        let workflow = self.workflows.load_in(tx, &snapshot.workflow).await?;
        let facts = facts::load(tx, &snapshot, envelope, &self.limits, &self.workflows).await?;
        let decision = decide(&workflow, &snapshot, &facts, envelope)?;
        if decision.supersedes {
            tables::effects::supersede(tx, task, envelope.at).await?;
        }
        let taken = save(tx, &workflow, &decision, &envelope.actor, taker).await?;
        let moves = moves_a_branch(&decision.events);
        Ok((decision.snapshot, taken, moves))
    }
}

/// Whether a worktree may have left the pool for it.
fn gives_a_workspace(command: &Command) -> bool {
    matches!(
        command,
        Command::Report(
            Report::WorkspaceMade { .. }
                | Report::WorkspaceReady { .. }
                | Report::WorkspaceRenewed { .. }
                | Report::Inverted { .. }
        )
    )
}

pub(crate) async fn close_step(
    tx: &mut Tx,
    claimed: Claimed,
    closing: Closing,
    at: Timestamp,
) -> Result<(), EngineError> {
    let Claimed { effect, fence } = claimed;
    let held = match closing {
        Closing::StaysOpen => tables::effects::holds(tx, effect, fence).await?,
        Closing::Finished => {
            tables::effects::finish(tx, effect, fence, EffectEnding::Finished, at).await?
        }
        Closing::Failed => {
            tables::effects::finish(tx, effect, fence, EffectEnding::Failed, at).await?
        }
    };
    if held { Ok(()) } else { Err(EngineError::StaleLease) }
}

/// Writes a decision down: snapshot, events, what is derived from them, and the steps that follow. Answers those that
/// were taken at once.
pub(crate) async fn save(
    tx: &mut Tx,
    workflow: &Workflow,
    decision: &Decision,
    actor: &Actor,
    taker: Option<&Taker>,
) -> Result<Vec<EffectRow>, EngineError> {
    if decision.events.is_empty() && decision.effects.is_empty() {
        return Ok(Vec::new());
    }
    let task = &decision.snapshot;
    tables::tasks::put(tx, task).await?;
    tables::projection::record(tx, task, &decision.events, actor).await?;
    let events = decision.events.iter().map(NewEvent::of_task).collect::<Result<Vec<_>, _>>()?;
    tables::events::append(tx, task.project_id, actor, Some(task.id), &events).await?;
    let taken = tables::effects::plan(tx, task, &decision.effects, taker).await?;
    line_up(tx, workflow, task, &decision.events).await?;
    Ok(taken)
}
