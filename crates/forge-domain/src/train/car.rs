//! The order of the train.

use crate::{TaskId, Timestamp};
use std::collections::BTreeSet;

/// Landings after which a car's priority does not matter any more: it goes before everybody who came later.
const MOST_OVERTAKINGS: u64 = 20;

/// A task whose branch waits to land.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Car {
    /// Which task.
    pub task: TaskId,
    /// Higher goes first.
    pub priority: i32,
    /// Since when it waits.
    pub joined: Timestamp,
    /// How many others landed since.
    pub overtaken: u64,
    /// What its branch changes.
    pub paths: BTreeSet<String>,
    /// Its place among those whose checks ran or run where they stand: others before it would make that worthless.
    pub seat: Option<u64>,
    /// Whether its first red result is being tried again on the same tree, and it lets others pass meanwhile.
    pub suspect: bool,
}

/// The cars in the order in which they are to land. Those that a suspect holds up are left out until it is known
/// whether it was to blame: it and whoever shares a path with it. Everybody else is in another lane and goes on.
pub fn line_up(cars: &[Car]) -> Vec<&Car> {
    let suspects: Vec<&Car> = cars.iter().filter(|car| car.suspect).collect();
    let held_up = |car: &Car| {
        suspects
            .iter()
            .any(|suspect| suspect.task == car.task || !suspect.paths.is_disjoint(&car.paths))
    };
    let mut order: Vec<&Car> = cars.iter().filter(|car| !held_up(car)).collect();
    order.sort_by_key(|car| {
        let waited_enough = car.overtaken >= MOST_OVERTAKINGS;
        let urgency = if waited_enough { i64::MAX } else { i64::from(car.priority) };
        (car.seat.unwrap_or(u64::MAX), std::cmp::Reverse(urgency), car.joined, car.task)
    });
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn car(number: u128, priority: i32) -> Car {
        Car {
            task: TaskId::new(Uuid::from_u128(number)),
            priority,
            joined: Timestamp::from_millis(i64::try_from(number).unwrap_or_default()),
            overtaken: 0,
            paths: BTreeSet::from([format!("file{number}")]),
            seat: None,
            suspect: false,
        }
    }

    fn numbers(cars: &[Car]) -> Vec<u128> {
        line_up(cars).iter().map(|car| car.task.uuid().as_u128()).collect()
    }

    #[test]
    fn m_13_the_urgent_go_first_then_those_who_came_first() {
        assert_eq!(numbers(&[car(1, 0), car(2, 0), car(3, 5)]), [3, 1, 2]);
    }

    #[test]
    fn m_12_nobody_waits_for_ever_behind_the_urgent() {
        let old = Car { overtaken: 20, ..car(1, 0) };
        assert_eq!(numbers(&[old, car(2, 9), car(3, 5)]), [1, 2, 3]);
    }

    #[test]
    fn m_12_who_is_being_tried_keeps_its_place() {
        let second = Car { seat: Some(8), ..car(2, 5) };
        let first = Car { seat: Some(7), ..car(3, 0) };
        assert_eq!(numbers(&[car(1, 9), second, first]), [3, 2, 1]);
    }

    #[test]
    fn m_11_a_suspect_holds_up_only_its_own_lane() {
        let suspect = Car { suspect: true, ..car(1, 0) };
        let beside = Car { paths: BTreeSet::from(["file1".to_owned()]), ..car(2, 0) };
        assert_eq!(numbers(&[suspect, beside, car(3, 0)]), [3]);
    }
}
