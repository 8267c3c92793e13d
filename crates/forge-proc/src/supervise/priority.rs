use rustix::process::{getpid, getpriority_process};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The kernel's lowest priority.
const LOWEST_NICE: i32 = 19;

/// Scheduler weight of an ordinary session.
const SESSION_WEIGHT: usize = 1024;
/// How many steps background work runs behind request handling.
pub(crate) const BACKGROUND_STEPS: i32 = 10;
/// Nice values for a supervised program, each with its scheduler weight. At the first one, a single program is not
/// starved by interactive use of the machine.
const NICE_WEIGHTS: [(i32, usize); 10] = [
    (BACKGROUND_STEPS, 110),
    (11, 87),
    (12, 70),
    (13, 56),
    (14, 45),
    (15, 36),
    (16, 29),
    (17, 23),
    (18, 18),
    (19, 15),
];

static BACKGROUND_PROGRAMS: AtomicUsize = AtomicUsize::new(0);

/// Counts one background program for as long as it runs.
#[derive(Debug)]
pub(crate) struct BackgroundShare(());

impl BackgroundShare {
    pub(crate) fn acquire() -> Self {
        BACKGROUND_PROGRAMS.fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    /// The priority for a program that starts now.
    pub(crate) fn priority(&self) -> i32 {
        priority_for(BACKGROUND_PROGRAMS.load(Ordering::Relaxed))
    }
}

impl Drop for BackgroundShare {
    fn drop(&mut self) {
        BACKGROUND_PROGRAMS.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A priority this many steps below that of this process, which may itself run with a low priority: a fixed number
/// could be above it.
pub(crate) fn priority_below_own(steps: i32) -> i32 {
    let own = getpriority_process(Some(getpid())).unwrap_or(0);
    own.saturating_add(steps).min(LOWEST_NICE)
}

/// The more background programs run, the lower the priority of each: together they weigh as much as one ordinary
/// session, so two hundred of them do not delay API requests.
fn priority_for(running: usize) -> i32 {
    let fits = |(_, weight): &&(i32, usize)| weight.saturating_mul(running) <= SESSION_WEIGHT;
    NICE_WEIGHTS.iter().find(fits).or(NICE_WEIGHTS.last()).map_or(0, |(priority, _)| *priority)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_4_the_more_programs_run_the_lower_the_priority_of_each() {
        assert_eq!(
            [0, 1, 9, 10, 30, 50, 200, usize::MAX].map(priority_for),
            [10, 10, 10, 11, 16, 18, 19, 19]
        );
    }
}
