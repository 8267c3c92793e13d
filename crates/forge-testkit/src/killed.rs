//! A scenario in a process of its own that is killed (`kill -9`) at one of its points, and gone on with here.

use crate::fault_sweep::FaultSweep;
use crate::repository::search_path;
use forge_proc::{CaptureLimits, Exit, Invocation, Stdin, capture};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PLACE: &str = "FORGE_TEST_PLACE";
const STRIKE: &str = "FORGE_TEST_STRIKE";
/// In a normal run every so manieth point; all of them where this is set to 1.
const EVERY: &str = "FORGE_TEST_KILL_EVERY";
const USUALLY: usize = 3;

/// What a test is when it was started only to be killed.
#[derive(Debug)]
pub struct Victim {
    /// The world it is to play in.
    pub place: PathBuf,
    nth: usize,
}

impl Victim {
    /// Whether this process is one.
    pub fn called() -> Option<Self> {
        Some(Self { place: variable(PLACE)?.into(), nth: variable(STRIKE)?.parse().ok()? })
    }

    /// Its end.
    pub fn faults(&self) -> FaultSweep {
        FaultSweep::killing(self.nth)
    }
}

/// For each of these points of a scenario's undisturbed run, or for some of them: starts this very test again in a
/// directory of its own, where it gets killed at that point, goes on from there with `rest`, and compares how it ends.
/// `test` is the whole name of the test that asks.
pub async fn kill_at<E: PartialEq + fmt::Debug>(
    test: &str,
    points: &[&'static str],
    from: usize,
    expected: &E,
    rest: impl AsyncFn(&Path) -> E,
) {
    let every = variable(EVERY).and_then(|every| every.parse().ok()).unwrap_or(USUALLY).max(1);
    let mut killed = 0;
    for nth in (from..points.len()).step_by(every) {
        let point = points.get(nth).copied().unwrap_or_default();
        let place = tempfile::tempdir().expect("a temporary directory");
        let victim = Invocation::new(std::env::current_exe().expect("this program"), place.path())
            .args([test, "--exact", "--nocapture"])
            .env("PATH", search_path())
            .env(PLACE, place.path())
            .env(STRIKE, nth.to_string())
            .stdin(Stdin::Closed);
        let limits =
            CaptureLimits { stdout: 1 << 20, stderr: 1 << 20, deadline: Duration::from_secs(100) };
        let ended = capture(victim, limits).await.expect("the test starts again");
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.exit, Exit::Signal(9), "at point {nth} ({point}): {said}");
        let found = rest(place.path()).await;
        assert_eq!(&found, expected, "killed at point {nth} ({point})");
        killed += 1;
    }
    assert!(killed > 0, "a sweep that meets no point proves nothing: {points:?}");
}

#[expect(clippy::disallowed_methods, reason = "a test started by a test is told so this way")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
