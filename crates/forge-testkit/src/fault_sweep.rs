//! A fault plan that counts the fault points of a scenario and injects a fault at one of them.

use forge_engine::{FaultAction, FaultPlan};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::fmt;
use std::sync::Mutex;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// Counts fault points and injects faults.
#[derive(Debug, Default)]
pub struct FaultSweep {
    fault: Option<(usize, FaultAction)>,
    named_faults: Vec<(&'static str, FaultAction)>,
    kill_at: Option<usize>,
    passed: Mutex<Vec<&'static str>>,
    /// Notified whenever a point is passed.
    progress: Notify,
    died: CancellationToken,
}

impl FaultSweep {
    /// Only counts points.
    pub fn counting() -> Self {
        Self::default()
    }

    /// Injects the fault at the `nth` point (from zero).
    pub fn injecting_at_index(nth: usize, fault: FaultAction) -> Self {
        Self { fault: Some((nth, fault)), ..Self::default() }
    }

    /// Kills this process at the `nth` point (from zero).
    pub fn killing(nth: usize) -> Self {
        Self { kill_at: Some(nth), ..Self::default() }
    }

    /// Injects the fault when a point of this name is reached for the first time.
    pub fn injecting_at(point: &'static str, fault: FaultAction) -> Self {
        Self::injecting_at_each(&[(point, fault)])
    }

    /// The same for several points.
    pub fn injecting_at_each(points: &[(&'static str, FaultAction)]) -> Self {
        Self { named_faults: points.to_vec(), ..Self::default() }
    }

    /// The points passed so far.
    pub fn passed(&self) -> Vec<&'static str> {
        self.passed.lock().expect("no holder panics").clone()
    }

    /// Completes once a point of this name is passed.
    pub async fn wait_for_point(&self, point: &str) {
        loop {
            let progress = self.progress.notified();
            if self.passed().contains(&point) {
                return;
            }
            progress.await;
        }
    }

    /// Cancelled once the process counts as dead.
    pub fn died(&self) -> CancellationToken {
        self.died.clone()
    }
}

impl FaultPlan for FaultSweep {
    fn reach(&self, point: &'static str) -> Option<FaultAction> {
        let mut passed = self.passed.lock().expect("no holder panics");
        let first = !passed.contains(&point);
        let named = self.named_faults.iter().find(|(name, _)| first && *name == point);
        let counted =
            self.fault.as_ref().filter(|(nth, _)| *nth == passed.len()).map(|(_, fault)| *fault);
        let fault = counted.or(named.map(|(_, fault)| *fault));
        if self.kill_at == Some(passed.len()) {
            kill(Pid::this(), Signal::SIGKILL).expect("SIGKILL cannot be ignored");
        }
        passed.push(point);
        self.progress.notify_waiters();
        if fault == Some(FaultAction::Die) {
            self.died.cancel();
        }
        fault
    }
}

/// Runs a scenario once for each of these points of its undisturbed run, with a fault at that point, and compares the
/// end states. `run` is the whole scenario under the given plan.
pub async fn sweep_faults<E: PartialEq + fmt::Debug>(
    fault: FaultAction,
    points: &[&'static str],
    places: impl IntoIterator<Item = usize>,
    expected: &E,
    run: impl AsyncFn(FaultSweep) -> E,
) {
    let mut struck = 0;
    for nth in places {
        let found = run(FaultSweep::injecting_at_index(nth, fault)).await;
        let point = points.get(nth).copied().unwrap_or("none");
        assert_eq!(&found, expected, "{fault:?} at point {nth} ({point})");
        struck += 1;
    }
    assert!(struck > 0, "a sweep that meets no point proves nothing: {points:?}");
}
