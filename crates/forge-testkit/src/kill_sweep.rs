//! Runs a scenario in a separate process, kills it (`kill -9`) at one of its fault points, and continues it in this
//! process.

use crate::engine_fixture::EngineFixture;
use crate::fault_sweep::FaultSweep;
use crate::test_repository::search_path;
use forge_engine::EngineLimits;
use forge_proc::{CaptureLimits, ProcessExit, ProgramInvocation, StdinSource, capture};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

const DIRECTORY_VARIABLE: &str = "FORGE_TEST_PLACE";
const POINT_VARIABLE: &str = "FORGE_TEST_STRIKE";
/// A normal test run kills at every third point; at every point where this is set to 1.
const STEP_VARIABLE: &str = "FORGE_TEST_KILL_EVERY";
const DEFAULT_STEP: usize = 3;
const LIMITS: CaptureLimits =
    CaptureLimits { stdout: 1 << 20, stderr: 1 << 20, deadline: Duration::from_secs(100) };

/// A completed scenario.
#[derive(Debug)]
pub struct CompletedScenario<E> {
    /// The compared end state.
    pub end_state: E,
    /// The fault points it passed.
    pub points: Vec<&'static str>,
    /// The index of the first relevant point.
    pub first_point: usize,
}

/// Set when a test was started only to be killed.
#[derive(Debug)]
struct KillTarget {
    directory: PathBuf,
    nth: usize,
}

impl KillTarget {
    fn from_environment() -> Option<Self> {
        Some(Self {
            directory: variable(DIRECTORY_VARIABLE)?.into(),
            nth: variable(POINT_VARIABLE)?.parse().ok()?,
        })
    }
}

/// Runs a scenario once, then for each of its points, or for some of them: starts this test again in its own
/// directory, where it is killed at that point, continues here from the data on disk, and compares the end states.
/// `test` is the full name of the calling test.
pub async fn kill_at_every_point<E: PartialEq + fmt::Debug>(
    test: &str,
    limits: EngineLimits,
    scenario: impl AsyncFn(EngineFixture) -> CompletedScenario<E>,
) {
    if let Some(KillTarget { directory: place, nth }) = KillTarget::from_environment() {
        scenario(EngineFixture::at(&place, FaultSweep::killing(nth), None, limits).await).await;
        return;
    }
    let undisturbed =
        EngineFixture::with_limits(FaultSweep::counting(), None, limits.clone()).await;
    let CompletedScenario { end_state: end, points, first_point: from } =
        scenario(undisturbed).await;
    let every =
        variable(STEP_VARIABLE).and_then(|every| every.parse().ok()).unwrap_or(DEFAULT_STEP);
    let mut killed = 0;
    for (nth, point) in points.iter().enumerate().skip(from).step_by(every) {
        let place = tempfile::tempdir().expect("a temporary directory");
        run_until_killed(test, place.path(), nth).await;
        let rest =
            EngineFixture::at(place.path(), FaultSweep::counting(), None, limits.clone()).await;
        assert_eq!(scenario(rest).await.end_state, end, "killed at point {nth} ({point})");
        killed += 1;
    }
    assert!(killed > 0, "a sweep without points proves nothing: {points:?}");
}

async fn run_until_killed(test: &str, place: &Path, nth: usize) {
    let victim = ProgramInvocation::new(std::env::current_exe().expect("this program"), place)
        .args([test, "--exact", "--nocapture"])
        .env("PATH", search_path())
        .env(DIRECTORY_VARIABLE, place)
        .env(POINT_VARIABLE, nth.to_string())
        .stdin(StdinSource::Closed);
    let ended = capture(victim, LIMITS).await.expect("the test starts again");
    let said = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.exit, ProcessExit::Signal(9), "at point {nth}: {said}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "the parent test passes arguments by environment variables"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}
