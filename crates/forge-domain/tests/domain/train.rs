//! The merge train against an oracle that knows what every combination of branches gives (M-11, M-12).

use crate::support::Dice;
use forge_domain::train::{Car, Order, Placed, Train, Window};
use forge_domain::{TaskId, Timestamp};
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// A tree, told by what is in it.
type Tree = Vec<usize>;

/// What is true of the branches, which the train finds out by trying.
struct Truth {
    /// Branches that are red wherever they are.
    broken: BTreeSet<usize>,
    /// Pairs that are red together.
    red_together: BTreeSet<(usize, usize)>,
    /// Pairs that do not fit.
    clashing: BTreeSet<(usize, usize)>,
    /// Branches whose checks are red once on each tree and then green.
    flaky: BTreeSet<usize>,
}

impl Truth {
    fn random(dice: &mut Dice, cars: usize) -> Self {
        let some = |dice: &mut Dice, one_in: usize| -> BTreeSet<usize> {
            (0..cars).filter(|_| dice.below(one_in) == 0).collect()
        };
        let pairs = |dice: &mut Dice, one_in: usize| -> BTreeSet<(usize, usize)> {
            let all = (0..cars).flat_map(|left| (left + 1..cars).map(move |right| (left, right)));
            all.filter(|_| dice.below(one_in) == 0).collect()
        };
        Self {
            broken: some(dice, 8),
            red_together: pairs(dice, 3 * cars),
            clashing: pairs(dice, 3 * cars),
            flaky: some(dice, 6),
        }
    }

    fn is_green(&self, tree: &Tree) -> bool {
        tree.iter().all(|car| !self.broken.contains(car)) && !any_pair(&self.red_together, tree)
    }

    fn fits(&self, tree: &Tree, car: usize) -> bool {
        let clashes = |other: &usize| self.clashing.contains(&(*other.min(&car), *other.max(&car)));
        !tree.iter().any(clashes)
    }
}

fn any_pair(pairs: &BTreeSet<(usize, usize)>, tree: &Tree) -> bool {
    pairs.iter().any(|(left, right)| tree.contains(left) && tree.contains(right))
}

fn task(car: usize) -> TaskId {
    TaskId::new(Uuid::from_u128(car as u128 + 1))
}

fn number(task: TaskId) -> usize {
    usize::try_from(task.uuid().as_u128()).expect("small") - 1
}

struct Play {
    truth: Truth,
    train: Train<Tree>,
    landed: Tree,
    left: BTreeMap<usize, Tree>,
    running: BTreeMap<usize, (Tree, bool)>,
    flaked: BTreeSet<Tree>,
    trials: usize,
}

impl Play {
    fn board(&mut self, dice: &mut Dice, car: usize) {
        let lane = dice.below(6);
        self.train.board(Car {
            task: task(car),
            priority: i32::try_from(dice.below(3)).expect("small"),
            joined: Timestamp::from_millis(car as i64),
            overtaken: 0,
            paths: BTreeSet::from([format!("lane{lane}")]),
            seat: None,
            suspect: false,
        });
    }

    /// Plans until nothing but checks is under way.
    fn settle(&mut self) {
        loop {
            let mut built: Vec<(TaskId, Placed<Tree>)> = Vec::new();
            let mut tree = self.landed.clone();
            while let Some(next) = self.train.next(&built) {
                let car = number(next);
                let placed = if self.truth.fits(&tree, car) {
                    tree.push(car);
                    Placed::Tree(tree.clone())
                } else {
                    Placed::Clash
                };
                built.push((next, placed));
            }
            let mut moved = false;
            for (who, order) in self.train.plan(&built) {
                let car = number(who);
                match order {
                    Order::Try | Order::TryAgain => {
                        let placed = built.iter().find(|(other, _)| *other == who);
                        let Some((_, Placed::Tree(tree))) = placed else { panic!("no tree") };
                        self.running.insert(car, (tree.clone(), order == Order::TryAgain));
                        self.trials += 1;
                    }
                    Order::Wait => {
                        self.running.remove(&car).expect("it was at it");
                    }
                    Order::Land => {
                        self.landed.push(car);
                        assert!(self.truth.is_green(&self.landed), "a red tree: {:?}", self.landed);
                        self.train.landed(who);
                        moved = true;
                    }
                    Order::Leave => {
                        let mut with = self.landed.clone();
                        with.push(car);
                        assert!(!self.truth.is_green(&with), "{car} is not to blame");
                        self.train.left(who, true);
                        self.left.insert(car, with);
                        moved = true;
                    }
                    Order::Conflict => {
                        assert!(!self.truth.fits(&self.landed, car), "{car} fits");
                        self.train.left(who, false);
                        self.left.insert(car, self.landed.clone());
                        moved = true;
                    }
                    Order::Nothing => panic!("every branch adds something"),
                }
            }
            if !moved {
                return;
            }
        }
    }

    /// One of the running checks ends.
    fn end_one(&mut self, dice: &mut Dice) {
        let which = dice.below(self.running.len());
        let car = *self.running.keys().nth(which).expect("one of them");
        let (tree, _) = self.running.remove(&car).expect("it runs");
        let flakes = self.truth.flaky.contains(&car) && self.flaked.insert(tree.clone());
        let passed = self.truth.is_green(&tree) && !flakes;
        self.train.tried(task(car), &tree, passed);
    }
}

#[test]
fn m_12_no_red_tree_lands_nobody_starves_and_whoever_leaves_is_to_blame() {
    for seed in 0..2000 {
        let dice = &mut Dice::new(seed);
        let cars = 1 + dice.below(14);
        let window = Window::of(1 + dice.below(5), 1 + dice.below(8));
        let mut play = Play {
            truth: Truth::random(dice, cars),
            train: Train::new(window),
            landed: Tree::new(),
            left: BTreeMap::new(),
            running: BTreeMap::new(),
            flaked: BTreeSet::new(),
            trials: 0,
        };
        let mut to_come: Vec<usize> = (0..cars).collect();
        loop {
            if !to_come.is_empty() && (play.train.is_empty() || dice.below(3) == 0) {
                let car = to_come.remove(0);
                play.board(dice, car);
            }
            play.settle();
            if play.running.is_empty() {
                assert!(
                    play.train.is_empty(),
                    "nobody tries anything and {} wait",
                    play.train.len()
                );
                if to_come.is_empty() {
                    break;
                }
                continue;
            }
            play.end_one(dice);
            assert!(play.trials < 100 * cars, "it goes on for ever");
        }
        assert_eq!(play.landed.len() + play.left.len(), cars, "everybody landed or left");
    }
}

/// M-11: where everything is green nothing is tried twice, and as many are tried at once as the window has room for.
#[test]
fn m_11_green_branches_are_tried_once_each_and_together() {
    let dice = &mut Dice::new(7);
    let truth = Truth {
        broken: BTreeSet::new(),
        red_together: BTreeSet::new(),
        clashing: BTreeSet::new(),
        flaky: BTreeSet::new(),
    };
    let mut play = Play {
        truth,
        train: Train::new(Window::of(4, 8)),
        landed: Tree::new(),
        left: BTreeMap::new(),
        running: BTreeMap::new(),
        flaked: BTreeSet::new(),
        trials: 0,
    };
    for car in 0..40 {
        play.board(dice, car);
    }
    play.settle();
    assert_eq!(play.running.len(), 4);
    while !play.running.is_empty() {
        play.end_one(dice);
        play.settle();
    }
    assert_eq!((play.landed.len(), play.trials), (40, 40));
}
