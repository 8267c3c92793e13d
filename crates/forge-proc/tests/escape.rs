//! Six ways to escape, five ways to end: nobody is alive afterwards, and nobody is left in the table (E-4).
//!
//! `FORGE_TEST_ESCAPES=300` makes it 300 runs of each way to escape; docs/TESTING.md says more.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod support;

use std::process::{Command, Stdio};
use std::time::Duration;

use forge_proc::{Ended, Ending, Mark, end_marked, spawn};
use support::{Escape, Place, own_children};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

const GRACE: Duration = Duration::from_millis(100);
/// Long enough to escape first; who has not is missed by the count of survivors.
const DEADLINE: Duration = Duration::from_secs(3);
const STAYS: &str = "echo yes > settled; exec sleep 1000";
const ENDINGS: usize = 5;
const AT_ONCE: usize = 18;

/// Runs one ending often enough, for each way to escape.
async fn of_each<F>(name: &str, one: impl Fn(Escape, Place) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let runs =
        std::env::var("FORGE_TEST_ESCAPES").map_or(15, |runs| runs.parse().expect("a number"));
    let mut under_way = JoinSet::new();
    for round in 0..usize::max(runs / ENDINGS, 1) {
        for escape in Escape::ALL {
            if under_way.len() == AT_ONCE {
                under_way.join_next().await.expect("one").expect("it held");
            }
            let place = Place::new(&format!("{name}-{round}-{escape:?}"));
            under_way.spawn(one(escape, place));
        }
    }
    while let Some(done) = under_way.join_next().await {
        done.expect("it held");
    }
    assert_eq!(own_children(), Vec::<String>::new());
}

fn assert_gone(escape: Escape, place: &Place) {
    assert_eq!(place.survivors(), Vec::<String>::new(), "{escape:?}");
}

fn assert_ended(escape: Escape, place: &Place, ended: &Ended) {
    assert_gone(escape, place);
    assert!(ended.stragglers >= 1, "{escape:?}: {ended:?}");
    assert_eq!(ended.left_alive, Vec::<u32>::new(), "{escape:?}");
}

#[tokio::test]
async fn e_4_nobody_outlives_a_run_that_finishes() {
    of_each("finish", |escape, place| async move {
        let spec = escape.spec(&place, "exit 5").grace(GRACE);
        let ended = spawn(spec).await.expect("starts").wait(&CancellationToken::new()).await;
        assert_eq!(ended.ending, Ending::Exited(5), "{escape:?}");
        assert_ended(escape, &place, &ended);
    })
    .await;
}

#[tokio::test]
async fn t_13_nobody_outlives_a_run_that_is_stopped() {
    of_each("stop", |escape, place| async move {
        let running = spawn(escape.spec(&place, STAYS).grace(GRACE)).await.expect("starts");
        let stop = CancellationToken::new();
        let stopping = async {
            place.reached("settled").await;
            stop.cancel();
        };
        let (ended, ()) = tokio::join!(running.wait(&stop), stopping);
        assert_eq!(ended.ending, Ending::Stopped, "{escape:?}");
        assert_ended(escape, &place, &ended);
    })
    .await;
}

/// A cancel ends the processes by their mark, whoever supervises them; the supervisor sees them go.
#[tokio::test]
async fn t_12_nobody_outlives_a_run_that_is_cancelled() {
    of_each("cancel", |escape, place| async move {
        let running = spawn(escape.spec(&place, STAYS).grace(GRACE)).await.expect("starts");
        let never = CancellationToken::new();
        let cancelling = async {
            place.reached("settled").await;
            let count = end_marked(&place.mark, GRACE).await.expect("all ended");
            assert!(count >= 2, "{escape:?}: {count}");
            assert_eq!(place.marked(), Vec::<u32>::new(), "{escape:?}");
        };
        let (ended, ()) = tokio::join!(running.wait(&never), cancelling);
        assert_eq!(ended.ending, Ending::Signalled(15), "{escape:?}");
        assert_gone(escape, &place);
    })
    .await;
}

#[tokio::test]
async fn e_4_nobody_outlives_a_run_that_takes_too_long() {
    of_each("timeout", |escape, place| async move {
        let spec = escape.spec(&place, "exec sleep 1000").grace(GRACE).deadline(DEADLINE);
        let ended = spawn(spec).await.expect("starts").wait(&CancellationToken::new()).await;
        assert_eq!(ended.ending, Ending::TimedOut, "{escape:?}");
        assert_ended(escape, &place, &ended);
    })
    .await;
}

#[tokio::test]
async fn e_12_nobody_outlives_the_sweep_after_its_supervisor_was_killed() {
    // Asking once for nobody makes this process the parent of all who lose theirs, as a new server would be.
    let nobody = Mark::new("nobody").expect("a mark");
    assert_eq!(end_marked(&nobody, GRACE).await, Ok(0));
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
        place.reached("settled").await;
        supervisor.kill().expect("is killed");
        supervisor.wait().expect("is gone");
        let count = end_marked(&place.mark, GRACE).await.expect("all ended");
        assert!(count >= 2, "{escape:?}: {count}");
        assert_gone(escape, &place);
    })
    .await;
}

/// By itself one plain run; started again by the test above it is the supervisor that gets killed.
#[tokio::test]
async fn e_4_a_supervisor_of_its_own() {
    let never = CancellationToken::new();
    let Ok(escape) = std::env::var("FORGE_TEST_SUPERVISE") else {
        let place = Place::new("alone");
        let ended = spawn(place.spec("exit 6")).await.expect("starts").wait(&never).await;
        assert_eq!(ended.ending, Ending::Exited(6));
        return;
    };
    let escape = Escape::named(&escape).expect("a way to escape");
    let place = Place::given(
        std::env::var("FORGE_TEST_PLACE").expect("a directory"),
        std::env::var("FORGE_TEST_MARK").expect("a mark"),
    );
    spawn(escape.spec(&place, STAYS)).await.expect("starts").wait(&never).await;
}

/// In a container whose session was begun outside of it, the kernel calls our own session 0.
#[test]
fn e_4_nobody_outlives_a_run_in_a_namespace_whose_session_is_outside() {
    let apart = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc"];
    let allowed = Command::new("unshare").args(apart).arg("true").output().expect("unshare");
    if !allowed.status.success() {
        eprintln!("this machine allows no namespaces, so there is nothing to be outside of");
        return;
    }
    let inside = Command::new("unshare")
        .args(apart)
        .arg(std::env::current_exe().expect("this program"))
        .args(["--exact", "t_13_nobody_outlives_a_run_that_is_stopped"])
        .output()
        .expect("starts");
    let told = String::from_utf8_lossy(&inside.stdout).into_owned();
    assert!(inside.status.success() && told.contains("1 passed"), "{told}");
}
