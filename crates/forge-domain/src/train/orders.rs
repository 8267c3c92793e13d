//! What each car of a train has to do now.

use crate::TaskId;

/// Red results on one tree before its last car has to leave: the second tells a flaky check from a broken one.
const MOST_FAILURES: u32 = 2;

/// One car and all before it, on top of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// Which task.
    pub task: TaskId,
    /// What is known of the tree that this gives.
    pub standing: Standing,
}

/// What is known of one link's tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Its checks did not run yet.
    Untried,
    /// They run.
    Running,
    /// They passed, or there are none.
    Passed,
    /// They failed so many times.
    Failed {
        /// How often.
        times: u32,
    },
    /// The branch does not fit on what is before it; nothing behind it can count on it.
    Clashes,
    /// The branch adds nothing to what is before it.
    Empty,
}

/// What a car is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Run the checks on its tree.
    Try,
    /// Run them again on the same tree (M-12); others may pass meanwhile.
    TryAgain,
    /// Move the target to its commit: exactly this was tested.
    Land,
    /// Leave: it is to blame.
    Leave,
    /// Leave: it does not fit.
    Conflict,
    /// Leave: there is nothing of it to land.
    Nothing,
    /// Stop what it tries: others go first.
    Wait,
}

/// The orders that follow from what is known. Nobody is blamed while anybody before them is not in yet: only the first
/// car, whose tree is the target and itself, can be told to leave.
pub fn orders(chain: &[Link]) -> Vec<(TaskId, Order)> {
    let mut given = Vec::new();
    let mut passed = true;
    for (place, link) in chain.iter().enumerate() {
        let first = place == 0;
        let order = match link.standing {
            // One at a time: the next is first as soon as this one is in.
            Standing::Passed => first.then_some(Order::Land),
            Standing::Untried => Some(Order::Try),
            Standing::Running => None,
            Standing::Failed { times } if times < MOST_FAILURES => {
                passed.then_some(Order::TryAgain)
            }
            Standing::Failed { .. } => first.then_some(Order::Leave),
            Standing::Clashes => first.then_some(Order::Conflict),
            Standing::Empty => first.then_some(Order::Nothing),
        };
        passed &= link.standing == Standing::Passed;
        given.extend(order.map(|order| (link.task, order)));
    }
    given
}
