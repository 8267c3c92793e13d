//! The instructions for the candidates of a train.

use crate::TaskId;

/// Number of failures on one tree before its last candidate is evicted. The second one tells a flaky check from a
/// broken change.
const MOST_FAILURES: u32 = 2;

/// One candidate and all before it, on top of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChainLink {
    pub task: TaskId,
    /// State of the trial of this tree.
    pub state: TrialState,
}

/// State of the trial of one tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrialState {
    /// Its checks have not run yet.
    Untested,
    /// Its checks are running.
    Running,
    /// Its checks passed, or there are none.
    Passed,
    /// Its checks failed this many times.
    Failed { times: u32 },
    /// The branch conflicts with the trees before it; no later candidate can build on it.
    Conflicts,
    /// The branch adds no changes.
    Empty,
}

/// An instruction for a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannerInstruction {
    /// Run the checks on its tree.
    Test,
    /// Run the checks again on the same tree (M-12); other candidates may pass meanwhile.
    Retest,
    /// Move the target to its commit, which is exactly the tested one.
    Land,
    /// Evict it, because its checks fail.
    Evict,
    /// Evict it, because it conflicts with the target.
    EvictConflict,
    /// Evict it, because it has no changes to land.
    EvictEmpty,
    /// Stop its test: other candidates go first.
    Wait,
}

/// The instructions for a chain. A candidate is not evicted while any candidate before it has not landed: only the
/// first one, whose tree is the target and itself, can be.
pub fn instructions(chain: &[ChainLink]) -> Vec<(TaskId, PlannerInstruction)> {
    let mut given = Vec::new();
    let mut passed = true;
    for (place, link) in chain.iter().enumerate() {
        let first = place == 0;
        let order = match link.state {
            // One at a time: the next candidate is first as soon as this one has landed.
            TrialState::Passed => first.then_some(PlannerInstruction::Land),
            TrialState::Untested => Some(PlannerInstruction::Test),
            TrialState::Running => None,
            TrialState::Failed { times } if times < MOST_FAILURES => {
                passed.then_some(PlannerInstruction::Retest)
            }
            TrialState::Failed { .. } => first.then_some(PlannerInstruction::Evict),
            TrialState::Conflicts => first.then_some(PlannerInstruction::EvictConflict),
            TrialState::Empty => first.then_some(PlannerInstruction::EvictEmpty),
        };
        passed &= link.state == TrialState::Passed;
        given.extend(order.map(|order| (link.task, order)));
    }
    given
}
