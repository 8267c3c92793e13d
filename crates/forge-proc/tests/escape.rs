//! Six ways to escape, five ways to end: afterwards no process is alive and none is left in the process table (E-4).
//!
//! `FORGE_TEST_ESCAPES=300` makes it 300 programs for each way to escape; see docs/TESTING.md.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::process::{Command, Stdio};
use std::time::Duration;

use forge_proc::{ProcessEnding, ProcessMark, ProcessOutcome, end_marked_processes, spawn};
use support::{EscapeMethod, ProcessFixture, own_children};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const GRACE: Duration = Duration::from_millis(100);
/// Long enough to escape first; a process that has not escaped would be missing from the count of survivors.
const DEADLINE: Duration = Duration::from_secs(3);
const STAYS: &str = "echo yes > settled; exec sleep 1000";
const ENDINGS: usize = 5;
const AT_ONCE: usize = 18;

/// Repeats one ending for each way to escape.
async fn of_each<F>(name: &str, one: impl Fn(EscapeMethod, ProcessFixture) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let runs =
        std::env::var("FORGE_TEST_ESCAPES").map_or(15, |runs| runs.parse().expect("a number"));
    let mut under_way = JoinSet::new();
    for round in 0..usize::max(runs / ENDINGS, 1) {
        for escape in EscapeMethod::ALL {
            if under_way.len() == AT_ONCE {
                under_way.join_next().await.expect("one").expect("it held");
            }
            let place = ProcessFixture::new(&format!("{name}-{round}-{escape:?}"));
            under_way.spawn(one(escape, place));
        }
    }
    while let Some(done) = under_way.join_next().await {
        done.expect("it held");
    }
    assert_eq!(own_children(), Vec::<String>::new());
}

fn assert_gone(escape: EscapeMethod, place: &ProcessFixture) {
    assert_eq!(place.survivors(), Vec::<String>::new(), "{escape:?}");
}

fn assert_ended(escape: EscapeMethod, place: &ProcessFixture, ended: &ProcessOutcome) {
    assert_gone(escape, place);
    assert!(ended.stragglers >= 1, "{escape:?}: {ended:?}");
    assert_eq!(ended.surviving_pids, Vec::<u32>::new(), "{escape:?}");
}

#[tokio::test]
async fn e_4_no_process_outlives_a_program_that_finishes() {
    of_each("finish", |escape, place| async move {
        let spec = escape.spec(&place, "exit 5").grace(GRACE);
        let ended = spawn(spec).await.expect("starts").wait(&CancellationToken::new()).await;
        assert_eq!(ended.ending, ProcessEnding::Exited(5), "{escape:?}");
        assert_ended(escape, &place, &ended);
    })
    .await;
}

#[tokio::test]
async fn t_13_no_process_outlives_a_program_that_is_stopped() {
    of_each("stop", |escape, place| async move {
        let running = spawn(escape.spec(&place, STAYS).grace(GRACE)).await.expect("starts");
        let stop = CancellationToken::new();
        let stopping = async {
            place.wait_for_fifo("settled").await;
            stop.cancel();
        };
        let (ended, ()) = tokio::join!(running.wait(&stop), stopping);
        assert_eq!(ended.ending, ProcessEnding::Stopped, "{escape:?}");
        assert_ended(escape, &place, &ended);
    })
    .await;
}

/// A cancel ends the processes by their mark, whichever server supervises them; the supervisor sees them exit.
#[tokio::test]
async fn t_12_no_process_outlives_a_program_that_is_cancelled() {
    of_each("cancel", |escape, place| async move {
        let running = spawn(escape.spec(&place, STAYS).grace(GRACE)).await.expect("starts");
        let never = CancellationToken::new();
        let cancelling = async {
            place.wait_for_fifo("settled").await;
            let count = end_marked_processes(&place.mark, GRACE).await.expect("all ended");
            assert!(count >= 2, "{escape:?}: {count}");
            assert_eq!(place.marked_processes(), Vec::<u32>::new(), "{escape:?}");
        };
        let (ended, ()) = tokio::join!(running.wait(&never), cancelling);
        assert_eq!(ended.ending, ProcessEnding::Signalled(15), "{escape:?}");
        assert_gone(escape, &place);
    })
    .await;
}

#[tokio::test]
async fn e_4_no_process_outlives_a_program_that_times_out() {
    of_each("timeout", |escape, place| async move {
        let spec = escape.spec(&place, "exec sleep 1000").grace(GRACE).deadline(DEADLINE);
        let ended = spawn(spec).await.expect("starts").wait(&CancellationToken::new()).await;
        assert_eq!(ended.ending, ProcessEnding::TimedOut, "{escape:?}");
        assert_ended(escape, &place, &ended);
    })
    .await;
}

#[tokio::test]
async fn e_12_no_process_outlives_the_sweep_after_its_supervisor_was_killed() {
    // Ending an empty tree once makes this process the subreaper, as a new server would be.
    let nobody = ProcessMark::new("no-process").expect("a mark");
    assert_eq!(end_marked_processes(&nobody, GRACE).await, Ok(0));
    of_each("killed", |escape, place| async move {
        escape.spec(&place, STAYS);
        let mut supervisor = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", "e_4_a_supervisor_of_its_own"])
            .env("FORGE_TEST_SUPERVISE", format!("{escape:?}"))
            .env("FORGE_TEST_PLACE", place.path())
            .env("FORGE_TEST_MARK", place.mark.as_str())
            .stdout(Stdio::null())
            .spawn()
            .expect("starts");
        place.wait_for_fifo("settled").await;
        supervisor.kill().expect("is killed");
        supervisor.wait().expect("is gone");
        let count = end_marked_processes(&place.mark, GRACE).await.expect("all ended");
        assert!(count >= 2, "{escape:?}: {count}");
        assert_gone(escape, &place);
    })
    .await;
}

/// Run alone this is one plain program; started again by the test above it is the supervisor that gets killed.
#[tokio::test]
async fn e_4_a_supervisor_of_its_own() {
    let never = CancellationToken::new();
    let Ok(escape) = std::env::var("FORGE_TEST_SUPERVISE") else {
        let place = ProcessFixture::new("alone");
        let ended = spawn(place.spec("exit 6")).await.expect("starts").wait(&never).await;
        assert_eq!(ended.ending, ProcessEnding::Exited(6));
        return;
    };
    let escape = EscapeMethod::by_name(&escape).expect("a way to escape");
    let place = ProcessFixture::open(
        std::env::var("FORGE_TEST_PLACE").expect("a directory"),
        std::env::var("FORGE_TEST_MARK").expect("a mark"),
    );
    spawn(escape.spec(&place, STAYS)).await.expect("starts").wait(&never).await;
}

/// In a container whose session was begun outside of it, the kernel reports session 0 for this process.
#[test]
fn e_4_no_process_outlives_a_program_in_a_namespace_whose_session_is_outside() {
    let apart = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
    let allowed = Command::new("unshare").args(apart).arg("true").output().expect("unshare");
    if !allowed.status.success() {
        eprintln!("skipped: this machine does not allow namespaces");
        return;
    }
    let inside = Command::new("unshare")
        .args(apart)
        .arg(std::env::current_exe().expect("this program"))
        .args(["--exact", "t_13_no_process_outlives_a_program_that_is_stopped"])
        .output()
        .expect("starts");
    let told = String::from_utf8_lossy(&inside.stdout).into_owned();
    assert!(inside.status.success() && told.contains("1 passed"), "{told}");
}
