//! A plan that counts the points a scenario passes, and strikes at one of them.

use forge_engine::{Fault, FaultPlan};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fmt;
use std::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// Counts and strikes.
#[derive(Debug, Default)]
pub struct FaultSweep {
    strike: Option<(usize, Fault)>,
    named: Option<(&'static str, Fault)>,
    kill: Option<usize>,
    passed: Mutex<Vec<&'static str>>,
    died: CancellationToken,
}

impl FaultSweep {
    /// Only counts.
    pub fn counting() -> Self {
        Self::default()
    }

    /// Strikes at the `nth` point (from zero) that is reached.
    pub fn striking(nth: usize, fault: Fault) -> Self {
        Self { strike: Some((nth, fault)), ..Self::default() }
    }

    /// Kills this very process at the `nth` point (from zero) that is reached.
    pub fn killing(nth: usize) -> Self {
        Self { kill: Some(nth), ..Self::default() }
    }

    /// Strikes when a point of this name is reached for the first time.
    pub fn striking_at(point: &'static str, fault: Fault) -> Self {
        Self { named: Some((point, fault)), ..Self::default() }
    }

    /// The points passed so far.
    pub fn passed(&self) -> Vec<&'static str> {
        self.passed.lock().expect("no holder panics").clone()
    }

    /// Completes once the process is taken for dead.
    pub fn died(&self) -> CancellationToken {
        self.died.clone()
    }
}

impl FaultPlan for FaultSweep {
    fn reach(&self, point: &'static str) -> Option<Fault> {
        let mut passed = self.passed.lock().expect("no holder panics");
        let (nth, fault) = self.strike.unzip();
        let (name, named) = self.named.unzip();
        let fault = fault.or(named);
        let first = name == Some(point) && !passed.contains(&point);
        let strikes = first || nth == Some(passed.len());
        if self.kill == Some(passed.len()) {
            kill(Pid::this(), Signal::SIGKILL).expect("nobody is deaf to it");
        }
        passed.push(point);
        if strikes && fault == Some(Fault::Die) {
            self.died.cancel();
        }
        fault.filter(|_| strikes)
    }
}

/// Runs a scenario once for each of these points of its undisturbed run, with trouble at that point, and compares how it
/// ends. `run` is the scenario from its beginning, under the given plan.
pub async fn strike_at<E: PartialEq + fmt::Debug>(
    fault: Fault,
    points: &[&'static str],
    places: impl IntoIterator<Item = usize>,
    expected: &E,
    run: impl AsyncFn(FaultSweep) -> E,
) {
    let mut struck = 0;
    for nth in places {
        let found = run(FaultSweep::striking(nth, fault)).await;
        let point = points.get(nth).copied().unwrap_or("none");
        assert_eq!(&found, expected, "{fault:?} at point {nth} ({point})");
        struck += 1;
    }
    assert!(struck > 0, "a sweep that meets no point proves nothing: {points:?}");
}
