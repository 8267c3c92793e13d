//! The effect rows of one task as the engine keeps them: in order, in lanes, superseded only before they begin.

use forge_domain::{Decision, Effect, Lane, PlannedEffect, Timestamp};
use uuid::Uuid;

/// One effect row that has not ended.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    pub planned: PlannedEffect,
    /// The visit of the state that wanted it.
    pub visit: u64,
    /// Whether a move drops it while it waits.
    yields: bool,
    pub stage: Stage,
    /// Whether it has begun before and is to be tried again.
    pub tried: bool,
    /// Whether a stop has ended its processes.
    pub killed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Waiting,
    Begun,
    /// The agent's process runs and has been reported.
    Started,
}

impl Step {
    pub(crate) fn effect(&self) -> &Effect {
        &self.planned.effect
    }

    pub(crate) fn lane(&self) -> Lane {
        self.effect().lane()
    }

    /// Whether a move drops it: a removal that did not work waits for nobody's claim.
    fn yields_now(&self) -> bool {
        let removal = Effect::CleanWorkspace { retire_branch: false };
        self.yields || (self.tried && *self.effect() == removal)
    }

    /// The mark its processes carry.
    pub(crate) fn mark(&self) -> Option<Uuid> {
        match self.effect() {
            Effect::PrepareWorkspace { execution }
            | Effect::SetUpWorkspace { execution }
            | Effect::RunTurn { execution } => Some(execution.uuid()),
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

/// Writes a decision's effects as the engine does: what waits is dropped first if the decision says so.
pub(crate) fn write(steps: &mut Vec<Step>, decision: &Decision, at: Timestamp) {
    if decision.supersedes {
        steps.retain(|step| step.stage != Stage::Waiting || !step.yields_now());
    }
    steps.extend(decision.effects.iter().map(|planned| Step {
        planned: planned.clone(),
        visit: decision.snapshot.visit,
        yields: planned.yields_to_a_move(at),
        stage: Stage::Waiting,
        tried: false,
        killed: false,
    }));
}

/// The steps that may begin: the first of each lane, unless the lane is busy.
pub(crate) fn startable(steps: &[Step]) -> Vec<usize> {
    use Lane::{Aftermath, Control, Family, Message, Waiting, Workspace};
    [Workspace, Control, Waiting, Family, Aftermath, Message]
        .into_iter()
        .filter_map(|lane| {
            let first = steps.iter().position(|step| step.lane() == lane)?;
            (steps[first].stage == Stage::Waiting).then_some(first)
        })
        .collect()
}
