//! Rebase and revert with a failure, and a death, at each of their fault points (M-1, P-4).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::{ProjectId, TaskId};
use forge_engine::{EngineError, FaultAction};
use forge_testkit::end_state::EndState;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::test_repository::TestRepository;
use std::path::Path;

const RESOLVES: &str = "if grep -q '^<<<<<<<' shared.txt 2>/dev/null; then echo both > shared.txt; \
    elif [ ! -e shared.txt ]; then echo mine > shared.txt; fi";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Deed {
    Rebase,
    Revert,
}

#[derive(Debug, PartialEq, Eq)]
struct End {
    traces: EndState,
    shared: Option<String>,
    loose: bool,
}

/// Prepares a task that conflicts or has landed, then runs the operation.
async fn scenario(
    world: &EngineFixture,
    deed: Deed,
) -> Result<(ProjectId, TaskId, usize), EngineError> {
    let project = world.project("Board", EngineFixture::workflow("default")).await?;
    let agent = world.agent("coder", RESOLVES).await?;
    let task = world.task(project, EngineFixture::task_request("Work")).await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    if deed == Deed::Rebase && world.repository.subjects("main").await == ["first"] {
        world.repository.write("shared.txt", "theirs\n");
        world.repository.git(&["add", "."]).await;
        world.repository.commit("theirs").await;
    }
    // A task that was rebased before the death or failure is in review again, and stays there.
    if world.engine().records().task(task).await?.post_landing.rebased.is_none() {
        world.move_between(task, "review", "merging").await?;
    }
    world.settle().await?;
    let before = world.faults.passed().len();
    let now = world.engine().records().task(task).await?;
    match (deed, now.state.as_str()) {
        (Deed::Rebase, "merge_failed") if now.post_landing.rebased.is_none() => {
            let asked = world
                .engine()
                .post_landing()
                .rebase(EngineFixture::acting_user(), task, None)
                .await;
            // An earlier attempt may be in progress.
            if let Err(error) = asked
                && matches!(error, EngineError::Planned(_))
            {
                return Err(error);
            }
        }
        (Deed::Revert, "done") => {
            world.engine().post_landing().revert(EngineFixture::acting_user(), task).await?;
        }
        _ => {}
    }
    world.settle().await?;
    Ok((project, task, before))
}

async fn end(world: &EngineFixture, deed: Deed, project: ProjectId, task: TaskId) -> End {
    let task = match deed {
        Deed::Rebase => world.load_task(task).await,
        Deed::Revert => {
            let by =
                world.load_task(task).await.post_landing.reverted_by.expect("it is taken back");
            world.load_task(by).await
        }
    };
    let place = task.workspace.clone().expect("a workspace").path;
    let shared = std::fs::read_to_string(Path::new(&place).join("shared.txt")).ok();
    let loose = TestRepository::open(Path::new(&place)).git(&["status", "--porcelain"]).await;
    let mut traces = world.end_state(project).await;
    traces.workspaces = vec![traces.workspaces.len().to_string()];
    End { traces, shared, loose: !loose.is_empty() }
}

async fn run(faults: FaultSweep, deed: Deed) -> (End, Vec<&'static str>, usize) {
    let mut world = EngineFixture::with(faults, None).await;
    let (sweep, died) = (world.faults.clone(), world.faults.died());
    for _ in 0..3 {
        let ended = tokio::select! {
            biased;
            () = died.cancelled(), if !died.is_cancelled() => None,
            ended = scenario(&world, deed) => Some(ended),
        };
        match ended {
            Some(Ok((project, task, before))) => {
                return (end(&world, deed, project, task).await, sweep.passed(), before);
            }
            Some(Err(EngineError::Planned(_))) => {}
            Some(Err(error)) => panic!("the scenario failed by itself: {error}"),
            None => world.restart().await,
        }
    }
    panic!("the scenario never gets through")
}

/// Covers only the points of the operation itself; other sweeps cover what follows.
async fn sweep(fault: FaultAction, deed: Deed, last: &str, wanted: &[&str]) -> End {
    let (expected, points, before) = run(FaultSweep::counting(), deed).await;
    assert!(expected.traces.sound && expected.traces.open_steps == 0, "{expected:#?}");
    for point in wanted {
        assert!(points.iter().skip(before).any(|passed| passed == point), "{point}: {points:?}");
    }
    let of_deed = points.iter().rposition(|point| *point == last).expect("it was done");
    for (nth, point) in points.iter().enumerate().take(of_deed + 4).skip(before) {
        let (found, ..) = run(FaultSweep::injecting_at_index(nth, fault), deed).await;
        assert_eq!(found, expected, "{fault:?} at point {nth} ({point})");
    }
    expected
}

const REBASE: [&str; 3] = ["rebase.collected", "rebase.planned", "rebase.merged"];
const REVERT: [&str; 3] = ["revert.inverted", "revert.taken", "revert.made"];

#[tokio::test]
async fn m_9_p_4_a_rebase_that_dies_anywhere_ends_the_same() {
    let end = sweep(FaultAction::Die, Deed::Rebase, "rebase.merged", &REBASE).await;
    assert_eq!(end.traces.tasks["Work"].state, "review");
    assert_eq!((end.shared.as_deref(), end.loose), (Some("both\n"), false));
}

#[tokio::test]
async fn m_9_m_1_a_rebase_that_fails_anywhere_ends_the_same() {
    sweep(FaultAction::Fail, Deed::Rebase, "rebase.merged", &REBASE).await;
}

#[tokio::test]
async fn m_1_p_4_a_revert_that_dies_anywhere_is_one_task_with_one_inverse() {
    let end = sweep(FaultAction::Die, Deed::Revert, "revert.made", &REVERT).await;
    assert_eq!(end.traces.tasks.len(), 2, "{:?}", end.traces.tasks);
    assert_eq!((end.shared, end.loose), (None, false));
}
