//! Converts numbers of tasks.

use forge_api::{PhaseCounts, TaskCounts};
use forge_domain::workflow::BoardPhase;
use forge_store::tables::tasks;

/// Converts to the wire type.
pub(crate) fn task_counts(counts: tasks::TaskCounts) -> TaskCounts {
    let mut phases = PhaseCounts::default();
    for (phase, tasks) in counts.by_phase {
        *match phase {
            BoardPhase::Backlog => &mut phases.backlog,
            BoardPhase::Ready => &mut phases.ready,
            BoardPhase::Working => &mut phases.working,
            BoardPhase::Review => &mut phases.review,
            BoardPhase::Done => &mut phases.done,
        } = tasks;
    }
    let states = counts.by_state.into_iter();
    TaskCounts { phases, states: states.map(|(state, tasks)| (state.to_string(), tasks)).collect() }
}
