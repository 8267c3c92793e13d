//! Communication between a task and its ordered turns (T-17). Each message only says that something changed; the
//! receiver loads the state itself, so a repeated message is harmless.

use crate::command::errors::EngineError;
use crate::command::lookup::RecordReader;
use crate::effects::{EffectContext, EffectError, EffectOutcome};
use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::workflow::TaskStanding;
use forge_domain::{EffectReport, Refusal, TaskCommand, TaskId};

/// The longest delay before an ordered turn is retried whose agent is busy.
const PATIENCE_SECONDS: u64 = 60;

impl RecordReader {
    /// Gives an ordered turn its parent's workspace. Returns the id of the task that owns the workspace.
    pub(crate) async fn load_parent_workspace(
        &self,
        task: &mut TaskSnapshot,
    ) -> Result<TaskId, EngineError> {
        let (Some(_), Some(parent)) = (task.turn(), task.parent) else { return Ok(task.id) };
        let parent = self.task(parent).await?;
        task.workspace = parent.workspace;
        Ok(parent.id)
    }
}

/// The error of an ordered turn whose parent lost its workspace meanwhile.
pub(crate) fn parent_workspace_missing() -> EffectError {
    EffectError::for_person(
        AnnotationType::ParentWorkspaceRequired,
        "the parent has no workspace any more; claim it, then begin this turn anew",
    )
}

pub(crate) async fn tell_parent(
    effect: &EffectContext,
    ended: bool,
) -> Result<EffectOutcome, EffectError> {
    effect.pass_fault_point("family.telling").await?;
    if let Some(parent) = effect.task.parent {
        effect
            .send_command(parent, TaskCommand::Report(EffectReport::TurnChanged { ended }))
            .await?;
    }
    effect.pass_fault_point("family.told").await?;
    Ok(EffectOutcome::Report(EffectReport::ParentTold))
}

pub(crate) async fn begin_turn(
    effect: &EffectContext,
    turn: TaskId,
) -> Result<EffectOutcome, EffectError> {
    effect.pass_fault_point("family.beginning").await?;
    let refusal = match effect.send_command(turn, TaskCommand::BeginTurn).await {
        Ok(()) => {
            effect.pass_fault_point("family.begun").await?;
            return Ok(EffectOutcome::Report(EffectReport::TurnBegun));
        }
        Err(EngineError::Refused(refusal)) => refusal,
        Err(error) => return Err(error.into()),
    };
    let message = refusal.to_string();
    let report = EffectReport::TurnRefused { turn, message: message.clone() };
    if is_transient_refusal(&refusal) {
        let patience_seconds = PATIENCE_SECONDS;
        return Ok(EffectOutcome::Retry { report, error: message, patience_seconds });
    }
    Ok(EffectOutcome::Report(report))
}

/// If the task ended, cancels all its open turns; otherwise returns running turns to the queue.
pub(crate) async fn end_turns(effect: &EffectContext) -> Result<EffectOutcome, EffectError> {
    effect.pass_fault_point("family.ending").await?;
    let cancel = matches!(effect.task.standing, TaskStanding::Succeeded | TaskStanding::Ended);
    for turn in &effect.task.turns {
        match effect.send_command(*turn, TaskCommand::EndTurn { cancel }).await {
            Ok(()) | Err(EngineError::Refused(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    effect.pass_fault_point("family.ended").await?;
    Ok(EffectOutcome::Report(EffectReport::TurnChanged { ended: false }))
}

/// Whether the refusal may disappear without a person's action.
fn is_transient_refusal(refusal: &Refusal) -> bool {
    matches!(
        refusal,
        Refusal::AgentPaused
            | Refusal::ProjectPaused
            | Refusal::AgentAtCapacity { .. }
            | Refusal::BudgetExhausted(_)
            | Refusal::WorkspaceLocked { .. }
    )
}
