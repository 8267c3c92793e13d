//! The merge train against an oracle that knows the result of every combination of branches (M-11, M-12).

use crate::support::SeededRandom;
use forge_domain::train::{
    PlannerInstruction, TrainCandidate, TrainPlanner, TrialOutcome, TrialWindow,
};
use forge_domain::{TaskId, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A tree, identified by the branches in it.
type BranchSet = Vec<usize>;

/// The true properties of the branches, which the train finds by testing.
struct BranchOracle {
    /// Branches that always fail.
    broken: BTreeSet<usize>,
    /// Pairs that fail together.
    red_together: BTreeSet<(usize, usize)>,
    /// Pairs that conflict.
    clashing: BTreeSet<(usize, usize)>,
    /// Branches whose checks fail once on each tree and then pass.
    flaky: BTreeSet<usize>,
}

impl BranchOracle {
    fn random(dice: &mut SeededRandom, candidates: usize) -> Self {
        let some = |dice: &mut SeededRandom, one_in: usize| -> BTreeSet<usize> {
            (0..candidates).filter(|_| dice.below(one_in) == 0).collect()
        };
        let pairs = |dice: &mut SeededRandom, one_in: usize| -> BTreeSet<(usize, usize)> {
            let all = (0..candidates)
                .flat_map(|left| (left + 1..candidates).map(move |right| (left, right)));
            all.filter(|_| dice.below(one_in) == 0).collect()
        };
        Self {
            broken: some(dice, 8),
            red_together: pairs(dice, 3 * candidates),
            clashing: pairs(dice, 3 * candidates),
            flaky: some(dice, 6),
        }
    }

    fn is_green(&self, tree: &BranchSet) -> bool {
        tree.iter().all(|candidate| !self.broken.contains(candidate))
            && !any_pair(&self.red_together, tree)
    }

    fn fits(&self, tree: &BranchSet, candidate: usize) -> bool {
        let clashes = |other: &usize| {
            self.clashing.contains(&(*other.min(&candidate), *other.max(&candidate)))
        };
        !tree.iter().any(clashes)
    }
}

fn any_pair(pairs: &BTreeSet<(usize, usize)>, tree: &BranchSet) -> bool {
    pairs.iter().any(|(left, right)| tree.contains(left) && tree.contains(right))
}

fn task(candidate: usize) -> TaskId {
    TaskId::new(Uuid::from_u128(candidate as u128 + 1))
}

fn number(task: TaskId) -> usize {
    usize::try_from(task.uuid().as_u128()).expect("small") - 1
}

struct TrainSimulation {
    truth: BranchOracle,
    train: TrainPlanner<BranchSet>,
    landed: BranchSet,
    left: BTreeMap<usize, BranchSet>,
    running: BTreeMap<usize, (BranchSet, bool)>,
    flaked: BTreeSet<BranchSet>,
    trials: usize,
}

impl TrainSimulation {
    fn board(&mut self, dice: &mut SeededRandom, candidate: usize) {
        let lane = dice.below(6);
        self.train.add(TrainCandidate {
            task: task(candidate),
            priority: i32::try_from(dice.below(3)).expect("small"),
            joined_at: Timestamp::from_millis(candidate as i64),
            landings_since: 0,
            paths: BTreeSet::from([format!("lane{lane}")]),
            position: None,
            is_suspect: false,
        });
    }

    /// Plans until only checks are under way.
    fn settle(&mut self) {
        loop {
            let mut built: Vec<(TaskId, TrialOutcome<BranchSet>)> = Vec::new();
            let mut tree = self.landed.clone();
            while let Some(next) = self.train.next(&built) {
                let candidate = number(next);
                let placed = if self.truth.fits(&tree, candidate) {
                    tree.push(candidate);
                    TrialOutcome::Tree(tree.clone())
                } else {
                    TrialOutcome::Conflict
                };
                built.push((next, placed));
            }
            let mut moved = false;
            for (who, order) in self.train.plan(&built) {
                let candidate = number(who);
                match order {
                    PlannerInstruction::Test | PlannerInstruction::Retest => {
                        let placed = built.iter().find(|(other, _)| *other == who);
                        let Some((_, TrialOutcome::Tree(tree))) = placed else { panic!("no tree") };
                        self.running
                            .insert(candidate, (tree.clone(), order == PlannerInstruction::Retest));
                        self.trials += 1;
                    }
                    PlannerInstruction::Wait => {
                        self.running.remove(&candidate).expect("it was at it");
                    }
                    PlannerInstruction::Land => {
                        self.landed.push(candidate);
                        assert!(self.truth.is_green(&self.landed), "a red tree: {:?}", self.landed);
                        self.train.remove_landed(who);
                        moved = true;
                    }
                    PlannerInstruction::Evict => {
                        let mut with = self.landed.clone();
                        with.push(candidate);
                        assert!(!self.truth.is_green(&with), "{candidate} is not to blame");
                        self.train.remove_unlanded(who, true);
                        self.left.insert(candidate, with);
                        moved = true;
                    }
                    PlannerInstruction::EvictConflict => {
                        assert!(!self.truth.fits(&self.landed, candidate), "{candidate} fits");
                        self.train.remove_unlanded(who, false);
                        self.left.insert(candidate, self.landed.clone());
                        moved = true;
                    }
                    PlannerInstruction::EvictEmpty => panic!("every branch adds something"),
                }
            }
            if !moved {
                return;
            }
        }
    }

    /// Ends one of the running checks.
    fn end_one(&mut self, dice: &mut SeededRandom) {
        let which = dice.below(self.running.len());
        let candidate = *self.running.keys().nth(which).expect("one of them");
        let (tree, _) = self.running.remove(&candidate).expect("it runs");
        let flakes = self.truth.flaky.contains(&candidate) && self.flaked.insert(tree.clone());
        let passed = self.truth.is_green(&tree) && !flakes;
        self.train.record_result(task(candidate), &tree, passed);
    }
}

#[test]
fn m_12_no_failing_tree_lands_no_candidate_starves_and_evictions_are_justified() {
    for seed in 0..2000 {
        let dice = &mut SeededRandom::new(seed);
        let candidates = 1 + dice.below(14);
        let window = TrialWindow::new(1 + dice.below(5), 1 + dice.below(8));
        let mut play = TrainSimulation {
            truth: BranchOracle::random(dice, candidates),
            train: TrainPlanner::new(window),
            landed: BranchSet::new(),
            left: BTreeMap::new(),
            running: BTreeMap::new(),
            flaked: BTreeSet::new(),
            trials: 0,
        };
        let mut to_come: Vec<usize> = (0..candidates).collect();
        loop {
            if !to_come.is_empty() && (play.train.is_empty() || dice.below(3) == 0) {
                let candidate = to_come.remove(0);
                play.board(dice, candidate);
            }
            play.settle();
            if play.running.is_empty() {
                assert!(
                    play.train.is_empty(),
                    "no candidate is under test and {} wait",
                    play.train.len()
                );
                if to_come.is_empty() {
                    break;
                }
                continue;
            }
            play.end_one(dice);
            assert!(play.trials < 100 * candidates, "it goes on for ever");
        }
        assert_eq!(
            play.landed.len() + play.left.len(),
            candidates,
            "every candidate landed or was evicted"
        );
    }
}

/// M-11: where everything passes, no tree is tested twice, and as many are tested at once as the window allows.
#[test]
fn m_11_passing_branches_are_tested_once_each_and_together() {
    let dice = &mut SeededRandom::new(7);
    let truth = BranchOracle {
        broken: BTreeSet::new(),
        red_together: BTreeSet::new(),
        clashing: BTreeSet::new(),
        flaky: BTreeSet::new(),
    };
    let mut play = TrainSimulation {
        truth,
        train: TrainPlanner::new(TrialWindow::new(4, 8)),
        landed: BranchSet::new(),
        left: BTreeMap::new(),
        running: BTreeMap::new(),
        flaked: BTreeSet::new(),
        trials: 0,
    };
    for candidate in 0..40 {
        play.board(dice, candidate);
    }
    play.settle();
    assert_eq!(play.running.len(), 4);
    while !play.running.is_empty() {
        play.end_one(dice);
        play.settle();
    }
    assert_eq!((play.landed.len(), play.trials), (40, 40));
}
