//! Converts the waits of a task and the state of dispatch.

use forge_api::{DispatchStatus, TaskWaiting, WaitCode, WaitReason, WaitsFor};
use forge_domain::dispatch::{DispatchBlocker, ResourceShortage};
use forge_domain::{NextStep, PersonReason};
use forge_engine::{DispatchState, WaitExplanation};

use crate::convert::tasks::needs_person::next_step;
use crate::convert::time::rfc3339;

/// Converts a task's wait and its reasons.
pub(crate) fn task_waiting(waiting: &WaitExplanation, next: &[NextStep]) -> TaskWaiting {
    let (task, wait) = (&waiting.task, &waiting.wait);
    let place = waiting.reasons.iter().find_map(|reason| match reason {
        DispatchBlocker::Queued { place } => Some(*place),
        _ => None,
    });
    TaskWaiting {
        task_id: task.id.uuid(),
        key: task.key().to_string(),
        status: task.state.to_string(),
        waits_for: waits_for(wait.waits_for),
        message: wait.message.clone(),
        person_reason: wait.person.map(PersonReason::code),
        since: waiting.since.or(wait.since).map(rfc3339),
        files: wait.files.clone(),
        next: next.iter().map(next_step).collect(),
        claimable: task.claimable && task.archived_at.is_none(),
        reasons: waiting.reasons.iter().map(reason).collect(),
        place,
    }
}

fn waits_for(what: forge_domain::WaitTarget) -> WaitsFor {
    use forge_domain::WaitTarget as Domain;
    match what {
        Domain::Person => WaitsFor::Person,
        Domain::Queueing => WaitsFor::Queueing,
        Domain::Agent => WaitsFor::Agent,
        Domain::Execution => WaitsFor::Execution,
        Domain::Checks => WaitsFor::Checks,
        Domain::Landing => WaitsFor::Landing,
        Domain::Server => WaitsFor::Server,
        Domain::Time => WaitsFor::Time,
        Domain::Turns => WaitsFor::Turns,
        Domain::Nothing => WaitsFor::Nothing,
    }
}

/// Converts the state of dispatch.
pub(crate) fn dispatch_status(state: &DispatchState) -> DispatchStatus {
    let lacks = state.lacks.iter().cloned().map(DispatchBlocker::Shortage);
    DispatchStatus {
        paused_at: state.paused_at.map(rfc3339),
        running: state.running,
        max_concurrent: state.max_concurrent,
        lacks: lacks.map(|lack| reason(&lack)).collect(),
    }
}

fn reason(reason: &DispatchBlocker) -> WaitReason {
    let (code, subjects) = match reason {
        DispatchBlocker::ProjectPaused => (WaitCode::ProjectPaused, Vec::new()),
        DispatchBlocker::DispatchOff => (WaitCode::DispatchOff, Vec::new()),
        DispatchBlocker::DispatchPaused => (WaitCode::DispatchPaused, Vec::new()),
        DispatchBlocker::NeedsAttention { .. } => (WaitCode::NeedsAttention, Vec::new()),
        DispatchBlocker::HeldByPerson { role } => (WaitCode::HeldByPerson, vec![role.to_string()]),
        DispatchBlocker::Ending => (WaitCode::Ending, Vec::new()),
        DispatchBlocker::Dependency { tasks } => (WaitCode::Dependency, tasks.clone()),
        DispatchBlocker::ConflictHold { task, files } => {
            let subjects = std::iter::once(task).chain(files).cloned().collect();
            (WaitCode::ConflictHold, subjects)
        }
        DispatchBlocker::BudgetExhausted(_) => (WaitCode::BudgetExhausted, Vec::new()),
        DispatchBlocker::NoRepository => (WaitCode::NoRepository, Vec::new()),
        DispatchBlocker::NoAgent { role } => (WaitCode::NoAgent, vec![role.to_string()]),
        DispatchBlocker::HandedOff { agents } => (WaitCode::HandedOff, agents.clone()),
        DispatchBlocker::AgentPaused { agents } => (WaitCode::AgentPaused, agents.clone()),
        DispatchBlocker::ProgramMissing { agents } => (WaitCode::ProgramMissing, agents.clone()),
        DispatchBlocker::QuotaWait { agents, .. } => (WaitCode::QuotaWait, agents.clone()),
        DispatchBlocker::NotSignedIn { agents } => (WaitCode::NotSignedIn, agents.clone()),
        DispatchBlocker::AgentAtCapacity { agents } => (WaitCode::AgentAtCapacity, agents.clone()),
        DispatchBlocker::ProjectAtCapacity { .. } => (WaitCode::ProjectAtCapacity, Vec::new()),
        DispatchBlocker::NodeAtCapacity { .. } => (WaitCode::NodeAtCapacity, Vec::new()),
        DispatchBlocker::Shortage(ResourceShortage::DiskLow { .. }) => {
            (WaitCode::DiskLow, Vec::new())
        }
        DispatchBlocker::Shortage(ResourceShortage::MemoryLow { .. }) => {
            (WaitCode::MemoryLow, Vec::new())
        }
        DispatchBlocker::Shortage(ResourceShortage::PressureHigh { resource, .. }) => {
            (WaitCode::PressureHigh, vec![resource.clone()])
        }
        DispatchBlocker::Queued { .. } => (WaitCode::NextInLine, Vec::new()),
    };
    WaitReason { code, message: reason.to_string(), subjects }
}
