//! A train as it stands: who rides, and what is known of the trees that were tried.

use super::car::{Car, line_up};
use super::orders::{Link, Order, Standing, orders};
use super::window::Window;
use crate::TaskId;
use std::collections::{BTreeMap, HashMap};

/// What putting a branch on top of those before it gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placed<T> {
    /// This tree; what comes next goes on top of it.
    Tree(T),
    /// It does not fit.
    Clash,
    /// It adds nothing.
    Nothing,
}

/// All cars of one target. `T` tells one tested tree, with the checks that it has to pass, from every other.
#[derive(Debug, Clone)]
pub struct Train<T> {
    riders: BTreeMap<TaskId, Rider<T>>,
    known: BTreeMap<T, Known>,
    window: Window,
    landings: u64,
    seats: u64,
}

#[derive(Debug, Clone)]
struct Rider<T> {
    car: Car,
    joined_after: u64,
    trying: Option<T>,
    /// Whether it has let others pass once; it does not do so again, or it might never arrive.
    yielded: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Known {
    passed: bool,
    failures: u32,
}

impl<T: Ord + Clone> Train<T> {
    /// An empty one.
    pub fn new(window: Window) -> Self {
        Self { riders: BTreeMap::new(), known: BTreeMap::new(), window, landings: 0, seats: 0 }
    }

    /// A task joins, or says anew what it is.
    pub fn board(&mut self, car: Car) {
        let landings = self.landings;
        let rider = self.riders.entry(car.task).or_insert_with(|| Rider {
            car: car.clone(),
            joined_after: landings,
            trying: None,
            yielded: false,
        });
        rider.car = Car { seat: rider.car.seat, suspect: rider.car.suspect, ..car };
    }

    /// How many cars it has.
    pub fn len(&self) -> usize {
        self.riders.len()
    }

    /// Whether nobody rides.
    pub fn is_empty(&self) -> bool {
        self.riders.is_empty()
    }

    /// How many are tried at once.
    pub fn window(&mut self) -> &mut Window {
        &mut self.window
    }

    /// Priorities as they are now; who is not named keeps theirs.
    pub fn set_priorities(&mut self, priorities: &HashMap<TaskId, i32>) {
        for (task, rider) in &mut self.riders {
            if let Some(priority) = priorities.get(task) {
                rider.car.priority = *priority;
            }
        }
    }

    /// What is known of a car that stands there; nothing while it is not tried.
    pub fn standing_of(&self, task: TaskId, placed: Option<&Placed<T>>) -> Option<Standing> {
        let rider = self.riders.get(&task)?;
        if rider.car.suspect {
            return Some(Standing::Failed { times: 1 });
        }
        placed.map(|placed| self.standing(task, placed))
    }

    /// Everybody, in the order in which they are to land; those whom a suspect holds up come last.
    pub fn order(&self) -> Vec<TaskId> {
        let cars = self.cars();
        let mut order: Vec<TaskId> = line_up(&cars).iter().map(|car| car.task).collect();
        let mut others: Vec<&Car> = cars.iter().filter(|car| !order.contains(&car.task)).collect();
        others.sort_by_key(|car| (!car.suspect, car.joined, car.task));
        order.extend(others.iter().map(|car| car.task));
        order
    }

    /// The car that is to be put on top of what is built already, if any more are to be tried now.
    pub fn next(&self, built: &[(TaskId, Placed<T>)]) -> Option<TaskId> {
        let undecided = built.iter().filter(|(_, placed)| match placed {
            Placed::Tree(tree) => !self.has_passed(tree),
            Placed::Clash | Placed::Nothing => false,
        });
        if undecided.count() >= self.window.size() {
            return None;
        }
        let cars = self.cars();
        let order = line_up(&cars);
        order.iter().map(|car| car.task).find(|task| built.iter().all(|(other, _)| other != task))
    }

    /// What everybody has to do now that this is what their branches give, one on top of the other.
    pub fn plan(&mut self, built: &[(TaskId, Placed<T>)]) -> Vec<(TaskId, Order)> {
        let chain: Vec<Link> = built
            .iter()
            .map(|(task, placed)| Link { task: *task, standing: self.standing(*task, placed) })
            .collect();
        let given = orders(&chain);
        let mut said = Vec::new();
        // In the order of the chain, so that seats are given in it.
        let place = |task: &TaskId| built.iter().position(|(other, _)| other == task);
        let mut riders: Vec<_> = self.riders.iter_mut().collect();
        riders.sort_by_key(|(task, _)| place(task).unwrap_or(usize::MAX));
        for (task, rider) in riders {
            let order = given.iter().find(|(other, _)| other == task).map(|(_, order)| *order);
            let placed = built.iter().find(|(other, _)| other == task).map(|(_, placed)| placed);
            if rider.car.suspect {
                // It finds out for itself; nobody waits for it meanwhile.
                continue;
            }
            match (order, placed) {
                (Some(order @ (Order::Try | Order::TryAgain)), Some(Placed::Tree(tree))) => {
                    rider.trying = Some(tree.clone());
                    if rider.car.seat.is_none() {
                        self.seats += 1;
                        rider.car.seat = Some(self.seats);
                    }
                    rider.car.suspect = order == Order::TryAgain && !rider.yielded;
                    rider.yielded |= rider.car.suspect;
                    said.push((*task, order));
                }
                (Some(order), _) => {
                    if order == Order::Land && rider.car.seat.is_none() {
                        // Nobody gets in before it any more.
                        self.seats += 1;
                        rider.car.seat = Some(self.seats);
                    }
                    rider.trying = None;
                    said.push((*task, order));
                }
                // It keeps its place; what it tries there is of no use if that is another tree now.
                (None, Some(Placed::Tree(tree))) => {
                    if rider.trying.as_ref().is_some_and(|trying| trying != tree) {
                        rider.trying = None;
                        said.push((*task, Order::Wait));
                    }
                }
                (None, _) => {
                    rider.car.seat = None;
                    if rider.trying.take().is_some() {
                        said.push((*task, Order::Wait));
                    }
                }
            }
        }
        said
    }

    /// The checks of a tree ended.
    pub fn tried(&mut self, task: TaskId, tree: &T, passed: bool) {
        let known = self.known.entry(tree.clone()).or_default();
        if passed {
            known.passed = true;
        } else {
            known.failures += 1;
        }
        if let Some(rider) = self.riders.get_mut(&task) {
            if rider.trying.as_ref() == Some(tree) {
                rider.trying = None;
            }
            rider.car.suspect = false;
        }
    }

    /// A car did not do what it was told last; it is told anew.
    pub fn give_up(&mut self, task: TaskId) {
        if let Some(rider) = self.riders.get_mut(&task) {
            rider.trying = None;
            rider.car.suspect = false;
        }
    }

    /// A tree is known to pass without being tried here.
    pub fn know(&mut self, tree: T) {
        self.known.entry(tree).or_default().passed = true;
    }

    /// Whether anything is known of a tree.
    pub fn knows(&self, tree: &T) -> bool {
        self.known.contains_key(tree)
    }

    /// How often a tree failed.
    pub fn failures(&self, tree: &T) -> u32 {
        self.known.get(tree).map_or(0, |known| known.failures)
    }

    /// A car is in.
    pub fn landed(&mut self, task: TaskId) {
        self.riders.remove(&task);
        self.landings += 1;
        self.window.grow();
        self.forget_the_unused();
    }

    /// A car is out.
    pub fn left(&mut self, task: TaskId, blamed: bool) {
        self.riders.remove(&task);
        if blamed {
            self.window.halve();
        }
        self.forget_the_unused();
    }

    fn forget_the_unused(&mut self) {
        if self.riders.is_empty() {
            self.known.clear();
        }
    }

    fn cars(&self) -> Vec<Car> {
        let current = |rider: &Rider<T>| Car {
            overtaken: self.landings.saturating_sub(rider.joined_after),
            ..rider.car.clone()
        };
        self.riders.values().map(current).collect()
    }

    fn has_passed(&self, tree: &T) -> bool {
        self.known.get(tree).is_some_and(|known| known.passed)
    }

    fn standing(&self, task: TaskId, placed: &Placed<T>) -> Standing {
        let tree = match placed {
            Placed::Clash => return Standing::Clashes,
            Placed::Nothing => return Standing::Empty,
            Placed::Tree(tree) => tree,
        };
        let trying = self.riders.get(&task).and_then(|rider| rider.trying.as_ref());
        match self.known.get(tree) {
            Some(known) if known.passed => Standing::Passed,
            _ if trying == Some(tree) => Standing::Running,
            Some(known) if known.failures > 0 => Standing::Failed { times: known.failures },
            _ => Standing::Untried,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Timestamp;
    use std::collections::BTreeSet;
    use uuid::Uuid;

    /// M-9: whoever lost a race did not do what they were told, and is told again.
    #[test]
    fn m_9_a_car_that_gave_up_is_told_again() {
        let task = TaskId::new(Uuid::from_u128(1));
        let mut train = Train::new(Window::single());
        train.board(Car {
            task,
            priority: 0,
            joined: Timestamp::from_millis(0),
            overtaken: 0,
            paths: BTreeSet::new(),
            seat: None,
            suspect: false,
        });
        let built = [(task, Placed::Tree("tree"))];
        assert_eq!(train.plan(&built), [(task, Order::Try)]);
        assert_eq!(train.plan(&built), []);
        train.give_up(task);
        assert_eq!(train.plan(&built), [(task, Order::Try)]);
    }
}
