//! The planner of a merge train: its candidates, and the results of the tested trees.

use crate::TaskId;
use crate::train::candidate::{TrainCandidate, landing_order};
use crate::train::instruction::{ChainLink, PlannerInstruction, TrialState, instructions};
use crate::train::window::TrialWindow;
use std::collections::{BTreeMap, HashMap};

/// Result of the trial merge of a branch on top of those before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrialOutcome<T> {
    /// The merged tree; the next branch goes on top of it.
    Tree(T),
    /// The branch conflicts.
    Conflict,
    /// The branch adds no changes.
    Empty,
}

/// The merge train of one target. `T` identifies a tree together with the checks that it must pass.
#[derive(Debug, Clone)]
pub struct TrainPlanner<T> {
    candidates: BTreeMap<TaskId, TrackedCandidate<T>>,
    results: BTreeMap<T, TreeResults>,
    window: TrialWindow,
    landings: u64,
    positions_used: u64,
}

#[derive(Debug, Clone)]
struct TrackedCandidate<T> {
    candidate: TrainCandidate,
    joined_after: u64,
    testing: Option<T>,
    /// Whether it has let other candidates pass once. It does so only once, or it might never land.
    has_yielded: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct TreeResults {
    passed: bool,
    failures: u32,
}

impl<T: Ord + Clone> TrainPlanner<T> {
    /// An empty train.
    pub fn new(window: TrialWindow) -> Self {
        Self {
            candidates: BTreeMap::new(),
            results: BTreeMap::new(),
            window,
            landings: 0,
            positions_used: 0,
        }
    }

    /// Adds a candidate, or updates its data.
    pub fn add(&mut self, candidate: TrainCandidate) {
        let landings = self.landings;
        let tracked = self.candidates.entry(candidate.task).or_insert_with(|| TrackedCandidate {
            candidate: candidate.clone(),
            joined_after: landings,
            testing: None,
            has_yielded: false,
        });
        tracked.candidate = TrainCandidate {
            position: tracked.candidate.position,
            is_suspect: tracked.candidate.is_suspect,
            ..candidate
        };
    }

    /// Number of candidates in the train.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Whether the train has no candidates.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// The window: how many candidates are tested at once.
    pub fn window(&mut self) -> &mut TrialWindow {
        &mut self.window
    }

    /// Updates priorities; a task without an entry keeps its priority.
    pub fn set_priorities(&mut self, priorities: &HashMap<TaskId, i32>) {
        for (task, tracked) in &mut self.candidates {
            if let Some(priority) = priorities.get(task) {
                tracked.candidate.priority = *priority;
            }
        }
    }

    /// State of a candidate's trial; `None` while it is not tested.
    pub fn trial_state(
        &self,
        task: TaskId,
        placed: Option<&TrialOutcome<T>>,
    ) -> Option<TrialState> {
        let tracked = self.candidates.get(&task)?;
        if tracked.candidate.is_suspect {
            return Some(TrialState::Failed { times: 1 });
        }
        placed.map(|placed| self.state_of(task, placed))
    }

    /// All candidates in landing order; those that a suspect delays come last.
    pub fn order(&self) -> Vec<TaskId> {
        let candidates = self.current_candidates();
        let mut order: Vec<TaskId> =
            landing_order(&candidates).iter().map(|candidate| candidate.task).collect();
        let mut others: Vec<&TrainCandidate> =
            candidates.iter().filter(|candidate| !order.contains(&candidate.task)).collect();
        others
            .sort_by_key(|candidate| (!candidate.is_suspect, candidate.joined_at, candidate.task));
        order.extend(others.iter().map(|candidate| candidate.task));
        order
    }

    /// The next candidate to merge on top of `built`, if the window allows another one.
    pub fn next(&self, built: &[(TaskId, TrialOutcome<T>)]) -> Option<TaskId> {
        let undecided = built.iter().filter(|(_, placed)| match placed {
            TrialOutcome::Tree(tree) => !self.has_passed(tree),
            TrialOutcome::Conflict | TrialOutcome::Empty => false,
        });
        if undecided.count() >= self.window.size() {
            return None;
        }
        let candidates = self.current_candidates();
        let order = landing_order(&candidates);
        order
            .iter()
            .map(|candidate| candidate.task)
            .find(|task| built.iter().all(|(other, _)| other != task))
    }

    /// The instructions for all candidates, given the trial merges built so far.
    pub fn plan(
        &mut self,
        built: &[(TaskId, TrialOutcome<T>)],
    ) -> Vec<(TaskId, PlannerInstruction)> {
        let chain: Vec<ChainLink> = built
            .iter()
            .map(|(task, placed)| ChainLink { task: *task, state: self.state_of(*task, placed) })
            .collect();
        let given = instructions(&chain);
        let mut said = Vec::new();
        // In the order of the chain, because positions are assigned in it.
        let place = |task: &TaskId| built.iter().position(|(other, _)| other == task);
        let mut in_chain_order: Vec<_> = self.candidates.iter_mut().collect();
        in_chain_order.sort_by_key(|(task, _)| place(task).unwrap_or(usize::MAX));
        for (task, tracked) in in_chain_order {
            let order = given.iter().find(|(other, _)| other == task).map(|(_, order)| *order);
            let placed = built.iter().find(|(other, _)| other == task).map(|(_, placed)| placed);
            if tracked.candidate.is_suspect {
                // Its own retry decides about it; no other candidate waits for it.
                continue;
            }
            match (order, placed) {
                (
                    Some(order @ (PlannerInstruction::Test | PlannerInstruction::Retest)),
                    Some(TrialOutcome::Tree(tree)),
                ) => {
                    tracked.testing = Some(tree.clone());
                    if tracked.candidate.position.is_none() {
                        self.positions_used += 1;
                        tracked.candidate.position = Some(self.positions_used);
                    }
                    tracked.candidate.is_suspect =
                        order == PlannerInstruction::Retest && !tracked.has_yielded;
                    tracked.has_yielded |= tracked.candidate.is_suspect;
                    said.push((*task, order));
                }
                (Some(order), _) => {
                    if order == PlannerInstruction::Land && tracked.candidate.position.is_none() {
                        // No later candidate may go before it any more.
                        self.positions_used += 1;
                        tracked.candidate.position = Some(self.positions_used);
                    }
                    tracked.testing = None;
                    said.push((*task, order));
                }
                // It keeps its position, but a test of another tree is useless now.
                (None, Some(TrialOutcome::Tree(tree))) => {
                    if tracked.testing.as_ref().is_some_and(|trying| trying != tree) {
                        tracked.testing = None;
                        said.push((*task, PlannerInstruction::Wait));
                    }
                }
                (None, _) => {
                    tracked.candidate.position = None;
                    if tracked.testing.take().is_some() {
                        said.push((*task, PlannerInstruction::Wait));
                    }
                }
            }
        }
        said
    }

    /// Records the result of the checks on a tree.
    pub fn record_result(&mut self, task: TaskId, tree: &T, passed: bool) {
        let known = self.results.entry(tree.clone()).or_default();
        if passed {
            known.passed = true;
        } else {
            known.failures += 1;
        }
        if let Some(tracked) = self.candidates.get_mut(&task) {
            if tracked.testing.as_ref() == Some(tree) {
                tracked.testing = None;
            }
            tracked.candidate.is_suspect = false;
        }
    }

    /// Resets a candidate that did not follow its last instruction; it gets a new one.
    pub fn reset_candidate(&mut self, task: TaskId) {
        if let Some(tracked) = self.candidates.get_mut(&task) {
            tracked.testing = None;
            tracked.candidate.is_suspect = false;
        }
    }

    /// Records that a tree passes without a test here.
    pub fn record_passed(&mut self, tree: T) {
        self.results.entry(tree).or_default().passed = true;
    }

    /// Whether there is a result for a tree.
    pub fn has_result(&self, tree: &T) -> bool {
        self.results.contains_key(tree)
    }

    /// Number of failures of a tree.
    pub fn failures(&self, tree: &T) -> u32 {
        self.results.get(tree).map_or(0, |known| known.failures)
    }

    /// Removes a candidate that has landed.
    pub fn remove_landed(&mut self, task: TaskId) {
        self.candidates.remove(&task);
        self.landings += 1;
        self.window.grow();
        self.clear_unused_results();
    }

    /// Removes a candidate that did not land: it was evicted, it was cancelled, or its landing is tried again later. Only
    /// a candidate whose checks fail (`blamed`) halves the window.
    pub fn remove_unlanded(&mut self, task: TaskId, blamed: bool) {
        self.candidates.remove(&task);
        if blamed {
            self.window.halve();
        }
        self.clear_unused_results();
    }

    fn clear_unused_results(&mut self) {
        if self.candidates.is_empty() {
            self.results.clear();
        }
    }

    fn current_candidates(&self) -> Vec<TrainCandidate> {
        let current = |tracked: &TrackedCandidate<T>| TrainCandidate {
            landings_since: self.landings.saturating_sub(tracked.joined_after),
            ..tracked.candidate.clone()
        };
        self.candidates.values().map(current).collect()
    }

    fn has_passed(&self, tree: &T) -> bool {
        self.results.get(tree).is_some_and(|known| known.passed)
    }

    fn state_of(&self, task: TaskId, placed: &TrialOutcome<T>) -> TrialState {
        let tree = match placed {
            TrialOutcome::Conflict => return TrialState::Conflicts,
            TrialOutcome::Empty => return TrialState::Empty,
            TrialOutcome::Tree(tree) => tree,
        };
        let trying = self.candidates.get(&task).and_then(|tracked| tracked.testing.as_ref());
        match self.results.get(tree) {
            Some(known) if known.passed => TrialState::Passed,
            _ if trying == Some(tree) => TrialState::Running,
            Some(known) if known.failures > 0 => TrialState::Failed { times: known.failures },
            _ => TrialState::Untested,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use std::collections::BTreeSet;
    use uuid::Uuid;

    /// M-9: a candidate that lost a race did not follow its instruction, and gets it again.
    #[test]
    fn m_9_a_reset_candidate_gets_its_instruction_again() {
        let task = TaskId::new(Uuid::from_u128(1));
        let mut train = TrainPlanner::new(TrialWindow::single());
        train.add(TrainCandidate {
            task,
            priority: 0,
            joined_at: Timestamp::from_millis(0),
            landings_since: 0,
            paths: BTreeSet::new(),
            position: None,
            is_suspect: false,
        });
        let built = [(task, TrialOutcome::Tree("tree"))];
        assert_eq!(train.plan(&built), [(task, PlannerInstruction::Test)]);
        assert_eq!(train.plan(&built), []);
        train.reset_candidate(task);
        assert_eq!(train.plan(&built), [(task, PlannerInstruction::Test)]);
    }
}
