//! Why a task waits, and how the scheduler stands.

use forge_api::{Dispatch, TaskWaiting, WaitCode, WaitReason};
use forge_domain::dispatch::{Lack, Reason};
use forge_engine::{DispatchState, Waiting};

use super::time::rfc3339;

/// A task and what keeps it.
pub(crate) fn waiting(waiting: &Waiting) -> TaskWaiting {
    let task = &waiting.task;
    let place = waiting.reasons.iter().find_map(|reason| match reason {
        Reason::NextInLine { place } => Some(*place),
        _ => None,
    });
    TaskWaiting {
        task_id: task.id.uuid(),
        key: task.key().to_string(),
        status: task.state.to_string(),
        claimable: task.claimable && task.archived_at.is_none(),
        reasons: waiting.reasons.iter().map(reason).collect(),
        place,
    }
}

/// How the scheduler stands.
pub(crate) fn state(state: &DispatchState) -> Dispatch {
    let lacks = state.lacks.iter().cloned().map(Reason::Machine);
    Dispatch {
        paused_at: state.paused_at.map(rfc3339),
        running: state.running,
        max_concurrent: state.max_concurrent,
        lacks: lacks.map(|lack| reason(&lack)).collect(),
    }
}

fn reason(reason: &Reason) -> WaitReason {
    let (code, subjects) = match reason {
        Reason::ProjectPaused => (WaitCode::ProjectPaused, Vec::new()),
        Reason::DispatchOff => (WaitCode::DispatchOff, Vec::new()),
        Reason::DispatchPaused => (WaitCode::DispatchPaused, Vec::new()),
        Reason::NeedsAttention { .. } => (WaitCode::NeedsAttention, Vec::new()),
        Reason::HeldByPerson { role } => (WaitCode::HeldByPerson, vec![role.to_string()]),
        Reason::Ending => (WaitCode::Ending, Vec::new()),
        Reason::Dependency { tasks } => (WaitCode::Dependency, tasks.clone()),
        Reason::ConflictHold { task, files } => {
            let subjects = std::iter::once(task).chain(files).cloned().collect();
            (WaitCode::ConflictHold, subjects)
        }
        Reason::BudgetExhausted(_) => (WaitCode::BudgetExhausted, Vec::new()),
        Reason::NoRepository => (WaitCode::NoRepository, Vec::new()),
        Reason::NoAgent { role } => (WaitCode::NoAgent, vec![role.to_string()]),
        Reason::AgentPaused { agents } => (WaitCode::AgentPaused, agents.clone()),
        Reason::QuotaWait { agents, .. } => (WaitCode::QuotaWait, agents.clone()),
        Reason::AgentAtCapacity { agents } => (WaitCode::AgentAtCapacity, agents.clone()),
        Reason::ProjectAtCapacity { .. } => (WaitCode::ProjectAtCapacity, Vec::new()),
        Reason::NodeAtCapacity { .. } => (WaitCode::NodeAtCapacity, Vec::new()),
        Reason::Machine(Lack::DiskLow { .. }) => (WaitCode::DiskLow, Vec::new()),
        Reason::Machine(Lack::MemoryLow { .. }) => (WaitCode::MemoryLow, Vec::new()),
        Reason::Machine(Lack::PressureHigh { resource, .. }) => {
            (WaitCode::PressureHigh, vec![resource.clone()])
        }
        Reason::NextInLine { .. } => (WaitCode::NextInLine, Vec::new()),
    };
    WaitReason { code, message: reason.to_string(), subjects }
}
