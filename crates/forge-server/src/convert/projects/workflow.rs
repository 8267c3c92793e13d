//! Converts workflows to the wire type.

use forge_api::{CleanupView, OutcomeView, StateKind, StateTargets, StateView, WorkflowView};
use forge_domain::workflow::{
    self, CleanupPolicy, StateBehaviour, StateRef, Workflow, WorkflowState,
};

use crate::convert::tasks::task_phase::phase;

/// Converts a workflow, with all edges that the definition leaves to their defaults.
pub(crate) fn workflow(workflow: &Workflow) -> WorkflowView {
    WorkflowView {
        name: workflow.definition().name.clone(),
        hash: workflow.hash().to_string(),
        initial: name(&workflow.initial()),
        fault: name(&workflow.fault()),
        cancel: name(&workflow.cancel()),
        states: workflow.states().map(state).collect(),
    }
}

fn name(state: &StateRef) -> String {
    state.name().to_string()
}

fn state(state: &WorkflowState) -> StateView {
    let mut view = StateView {
        name: state.name.to_string(),
        kind: StateKind::Queue,
        phase: phase(state.phase),
        role: None,
        optional: false,
        claimable: false,
        targets: StateTargets {
            manual: state.manual.iter().map(name).collect(),
            ..StateTargets::default()
        },
        max_attempts: None,
        auto_advance: false,
        outcome: None,
        cleanup: None,
    };
    match &state.behaviour {
        StateBehaviour::Queue { claim } => {
            view.claimable = claim.is_some();
            view.targets.claim = claim.as_ref().map(name);
        }
        StateBehaviour::Work { role, optional, done, failed } => {
            view.kind = StateKind::Work;
            view.role = Some(role.to_string());
            view.optional = *optional;
            view.targets.done = Some(name(done));
            view.targets.failed = Some(name(failed));
        }
        StateBehaviour::Gate { role, pass, reject, exhausted, max_attempts, auto_advance } => {
            view.kind = StateKind::Gate;
            view.role = role.as_ref().map(ToString::to_string);
            view.max_attempts = *max_attempts;
            view.auto_advance = *auto_advance;
            view.targets.pass = Some(name(pass));
            view.targets.reject = Some(name(reject));
            view.targets.exhausted = Some(name(exhausted));
        }
        StateBehaviour::Merge { merged, conflict, rejected, exhausted, max_attempts } => {
            view.kind = StateKind::Merge;
            view.max_attempts = *max_attempts;
            view.targets.merged = Some(name(merged));
            view.targets.conflict = Some(name(conflict));
            view.targets.rejected = Some(name(rejected));
            view.targets.exhausted = Some(name(exhausted));
        }
        StateBehaviour::Hold { cleanup: policy } => {
            view.kind = StateKind::Hold;
            view.cleanup = policy.map(cleanup);
        }
        StateBehaviour::Terminal { outcome: end, cleanup: policy } => {
            view.kind = StateKind::Terminal;
            view.outcome = Some(outcome(*end));
            view.cleanup = Some(cleanup(*policy));
        }
    }
    view
}

fn outcome(outcome: workflow::TerminalOutcome) -> OutcomeView {
    match outcome {
        workflow::TerminalOutcome::Success => OutcomeView::Success,
        workflow::TerminalOutcome::Failure => OutcomeView::Failure,
        workflow::TerminalOutcome::Cancelled => OutcomeView::Cancelled,
    }
}

fn cleanup(policy: CleanupPolicy) -> CleanupView {
    match policy {
        CleanupPolicy::Immediate => CleanupView::Immediate,
        CleanupPolicy::Delayed(after_seconds) => CleanupView::Delayed { after_seconds },
    }
}
