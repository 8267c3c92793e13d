//! Converts board phases.

use forge_api::TaskPhase;
use forge_domain::workflow;

/// Converts to the wire type.
pub(crate) fn phase(phase: workflow::BoardPhase) -> TaskPhase {
    match phase {
        workflow::BoardPhase::Backlog => TaskPhase::Backlog,
        workflow::BoardPhase::Ready => TaskPhase::Ready,
        workflow::BoardPhase::Working => TaskPhase::Working,
        workflow::BoardPhase::Review => TaskPhase::Review,
        workflow::BoardPhase::Done => TaskPhase::Done,
    }
}

/// Converts from the wire type.
pub(crate) fn domain_phase(phase: TaskPhase) -> workflow::BoardPhase {
    match phase {
        TaskPhase::Backlog => workflow::BoardPhase::Backlog,
        TaskPhase::Ready => workflow::BoardPhase::Ready,
        TaskPhase::Working => workflow::BoardPhase::Working,
        TaskPhase::Review => workflow::BoardPhase::Review,
        TaskPhase::Done => workflow::BoardPhase::Done,
    }
}
