//! A scenario in a process of its own that is killed (`kill -9`) at one of its points, and gone on with here.

use crate::fault_sweep::FaultSweep;
use crate::repository::search_path;
use crate::world::World;
use forge_engine::Limits;
use forge_proc::{CaptureLimits, Exit, Invocation, Stdin, capture};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PLACE: &str = "FORGE_TEST_PLACE";
const STRIKE: &str = "FORGE_TEST_STRIKE";
/// In a normal run one point in so many; every one where this is set to 1.
const EVERY: &str = "FORGE_TEST_KILL_EVERY";
const USUALLY: usize = 3;
const LIMITS: CaptureLimits =
    CaptureLimits { stdout: 1 << 20, stderr: 1 << 20, deadline: Duration::from_secs(100) };

/// A scenario that is through.
#[derive(Debug)]
pub struct Passed<E> {
    /// What is compared.
    pub end: E,
    /// The points it passed.
    pub points: Vec<&'static str>,
    /// The first of them that matters.
    pub from: usize,
}

/// What a test is when it was started only to be killed.
#[derive(Debug)]
struct Victim {
    place: PathBuf,
    nth: usize,
}

impl Victim {
    fn called() -> Option<Self> {
        Some(Self { place: variable(PLACE)?.into(), nth: variable(STRIKE)?.parse().ok()? })
    }
}

/// Runs a scenario once, and then for each of its points, or for some of them: starts this very test again in a
/// directory of its own, where it gets killed at that point, goes on here from what is there, and compares how both end.
/// `test` is the whole name of the test that asks.
pub async fn killed_anywhere<E: PartialEq + fmt::Debug>(
    test: &str,
    limits: Limits,
    scenario: impl AsyncFn(World) -> Passed<E>,
) {
    if let Some(Victim { place, nth }) = Victim::called() {
        scenario(World::at(&place, FaultSweep::killing(nth), None, limits).await).await;
        return;
    }
    let undisturbed = World::with_limits(FaultSweep::counting(), None, limits.clone()).await;
    let Passed { end, points, from } = scenario(undisturbed).await;
    let every = variable(EVERY).and_then(|every| every.parse().ok()).unwrap_or(USUALLY);
    let mut killed = 0;
    for (nth, point) in points.iter().enumerate().skip(from).step_by(every) {
        let place = tempfile::tempdir().expect("a temporary directory");
        start_to_be_killed(test, place.path(), nth).await;
        let rest = World::at(place.path(), FaultSweep::counting(), None, limits.clone()).await;
        assert_eq!(scenario(rest).await.end, end, "killed at point {nth} ({point})");
        killed += 1;
    }
    assert!(killed > 0, "a sweep that meets no point proves nothing: {points:?}");
}

async fn start_to_be_killed(test: &str, place: &Path, nth: usize) {
    let victim = Invocation::new(std::env::current_exe().expect("this program"), place)
        .args([test, "--exact", "--nocapture"])
        .env("PATH", search_path())
        .env(PLACE, place)
        .env(STRIKE, nth.to_string())
        .stdin(Stdin::Closed);
    let ended = capture(victim, LIMITS).await.expect("the test starts again");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.exit, Exit::Signal(9), "at point {nth}: {said}");
}

#[expect(clippy::disallowed_methods, reason = "a test started by a test is told so this way")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
