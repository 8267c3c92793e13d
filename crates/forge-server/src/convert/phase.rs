//! Parts of the board.

use forge_api::Phase;
use forge_domain::workflow;

/// As clients see it.
pub(crate) fn phase(phase: workflow::Phase) -> Phase {
    match phase {
        workflow::Phase::Backlog => Phase::Backlog,
        workflow::Phase::Ready => Phase::Ready,
        workflow::Phase::Working => Phase::Working,
        workflow::Phase::Review => Phase::Review,
        workflow::Phase::Done => Phase::Done,
    }
}

/// As clients ask for it.
pub(crate) fn asked(phase: Phase) -> workflow::Phase {
    match phase {
        Phase::Backlog => workflow::Phase::Backlog,
        Phase::Ready => workflow::Phase::Ready,
        Phase::Working => workflow::Phase::Working,
        Phase::Review => workflow::Phase::Review,
        Phase::Done => workflow::Phase::Done,
    }
}
