use std::sync::atomic::{AtomicUsize, Ordering};

/// What the kernel gives an ordinary session.
const ORDINARY: usize = 1024;
/// Behind whoever answers people.
pub(crate) const BEHIND_ANSWERS: i32 = 10;
/// How far a run gives way, and what the kernel then gives it. One alone is not starved by whoever sits at the machine.
const STEPS: [(i32, usize); 10] = [
    (BEHIND_ANSWERS, 110),
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

static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// One of the programs that give way to the server, counted as long as it is there.
#[derive(Debug)]
pub(crate) struct GivingWay(());

impl GivingWay {
    pub(crate) fn begin() -> Self {
        RUNNING.fetch_add(1, Ordering::Relaxed);
        Self(())
    }

    /// The priority of one that starts now.
    pub(crate) fn priority(&self) -> i32 {
        among(RUNNING.load(Ordering::Relaxed))
    }
}

impl Drop for GivingWay {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The more there are, the further each gives way: all together they weigh as much as one ordinary session, so that two
/// hundred of them do not keep people from their answers.
fn among(running: usize) -> i32 {
    let fits = |(_, weight): &&(i32, usize)| weight.saturating_mul(running) <= ORDINARY;
    STEPS.iter().find(fits).or(STEPS.last()).map_or(0, |(priority, _)| *priority)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e_4_the_more_run_the_further_each_gives_way() {
        assert_eq!(
            [0, 1, 9, 10, 30, 50, 200, usize::MAX].map(among),
            [10, 10, 10, 11, 16, 18, 19, 19]
        );
    }
}
