//! The effect rows of one task as the engine keeps them: in order, in lanes, superseded only before they start.

use forge_domain::{Decision, Effect, EffectLane, PlannedEffect, Timestamp};
use uuid::Uuid;

/// One effect row that has not ended.
#[derive(Debug, Clone)]
pub(crate) struct EffectEntry {
    pub planned: PlannedEffect,
    /// The visit of the state that planned it.
    pub visit: u64,
    /// Whether a move supersedes it while it waits.
    yields: bool,
    pub stage: EffectStage,
    /// Whether it was started before and is retried.
    pub tried: bool,
    /// Whether a stop has ended its processes.
    pub killed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EffectStage {
    Waiting,
    Begun,
    /// The agent's process is running and was reported.
    Started,
}

impl EffectEntry {
    pub(crate) fn effect(&self) -> &Effect {
        &self.planned.effect
    }

    pub(crate) fn lane(&self) -> EffectLane {
        self.effect().lane()
    }

    /// Whether a move supersedes it; a failed removal is no longer superseded.
    fn yields_now(&self) -> bool {
        let removal = Effect::CleanWorkspace { retire_branch: false };
        self.yields || (self.tried && *self.effect() == removal)
    }

    /// Mark of its processes.
    pub(crate) fn mark(&self) -> Option<Uuid> {
        match self.effect() {
            Effect::PrepareWorkspace { execution }
            | Effect::SetUpWorkspace { execution }
            | Effect::RunExecution { execution } => Some(execution.uuid()),
            Effect::RunChecks { review } => Some(review.uuid()),
            Effect::Stop { .. }
            | Effect::AwaitQuota { .. }
            | Effect::AwaitBudget
            | Effect::DeliverSteer { .. }
            | Effect::TellParent { .. }
            | Effect::BeginTurn { .. }
            | Effect::EndTurns
            | Effect::Land { .. }
            | Effect::CleanWorkspace { .. }
            | Effect::Rebase { .. }
            | Effect::Revert { .. }
            | Effect::VerifyLanding { .. }
            | Effect::ResetWorktree
            | Effect::ResetWorkspace => None,
        }
    }
}

/// Stores a decision's effects as the engine does: pending ones are superseded first if the decision says so.
pub(crate) fn write(steps: &mut Vec<EffectEntry>, decision: &Decision, at: Timestamp) {
    if decision.supersedes {
        steps.retain(|step| step.stage != EffectStage::Waiting || !step.yields_now());
    }
    steps.extend(decision.effects.iter().map(|planned| EffectEntry {
        planned: planned.clone(),
        visit: decision.snapshot.visit,
        yields: planned.yields_to_a_move(at),
        stage: EffectStage::Waiting,
        tried: false,
        killed: false,
    }));
}

/// The effects that may start: the first of each lane, unless the lane is busy.
pub(crate) fn startable(steps: &[EffectEntry]) -> Vec<usize> {
    use EffectLane::{Control, Message, OrderedTurns, PostLanding, Waiting, Workspace};
    [Workspace, Control, Waiting, OrderedTurns, PostLanding, Message]
        .into_iter()
        .filter_map(|lane| {
            let first = steps.iter().position(|step| step.lane() == lane)?;
            (steps[first].stage == EffectStage::Waiting).then_some(first)
        })
        .collect()
}
