//! Workflows as clients see them.

use forge_api::{Cleanup, Outcome, StateKind, StateTargets, StateView, WorkflowView};
use forge_domain::workflow::{self, Behaviour, CleanupPolicy, State, StateRef, Workflow};

use super::phase::phase;

/// A workflow, with every edge that the definition left to its default.
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

fn state(state: &State) -> StateView {
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
        Behaviour::Queue { claim } => {
            view.claimable = claim.is_some();
            view.targets.claim = claim.as_ref().map(name);
        }
        Behaviour::Work { role, optional, done, failed } => {
            view.kind = StateKind::Work;
            view.role = Some(role.to_string());
            view.optional = *optional;
            view.targets.done = Some(name(done));
            view.targets.failed = Some(name(failed));
        }
        Behaviour::Gate { role, pass, reject, exhausted, max_attempts, auto_advance } => {
            view.kind = StateKind::Gate;
            view.role = role.as_ref().map(ToString::to_string);
            view.max_attempts = *max_attempts;
            view.auto_advance = *auto_advance;
            view.targets.pass = Some(name(pass));
            view.targets.reject = Some(name(reject));
            view.targets.exhausted = Some(name(exhausted));
        }
        Behaviour::Merge { merged, conflict } => {
            view.kind = StateKind::Merge;
            view.targets.merged = Some(name(merged));
            view.targets.conflict = Some(name(conflict));
        }
        Behaviour::Hold { cleanup: policy } => {
            view.kind = StateKind::Hold;
            view.cleanup = policy.map(cleanup);
        }
        Behaviour::Terminal { outcome: end, cleanup: policy } => {
            view.kind = StateKind::Terminal;
            view.outcome = Some(outcome(*end));
            view.cleanup = Some(cleanup(*policy));
        }
    }
    view
}

fn outcome(outcome: workflow::Outcome) -> Outcome {
    match outcome {
        workflow::Outcome::Success => Outcome::Success,
        workflow::Outcome::Failure => Outcome::Failure,
        workflow::Outcome::Cancelled => Outcome::Cancelled,
    }
}

fn cleanup(policy: CleanupPolicy) -> Cleanup {
    match policy {
        CleanupPolicy::Immediate => Cleanup::Immediate,
        CleanupPolicy::Delayed(after_seconds) => Cleanup::Delayed { after_seconds },
    }
}
