//! An unreviewed branch from its merge train to the landed commit, with a failure, and a death, at every fault point of
//! trial and landing (P-4, M-1, M-11).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::ProjectId;
use forge_engine::{EngineError, EngineLimits, FaultAction, PoolLimits, TaskSpec};
use forge_testkit::end_state::EndState;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::{FaultSweep, sweep_faults};
use forge_testkit::kill_sweep::{CompletedScenario, kill_at_every_point};
use serde_json::json;

const POOL: PoolLimits = PoolLimits { size: 1, disk_bytes: u64::MAX };

async fn scenario(world: &EngineFixture) -> Result<ProjectId, EngineError> {
    let settings = json!({
        "merge": { "train": true },
        "default_review_config": { "ci_steps": ["test -e added.txt", "echo mess > mess.txt"] },
    });
    let project =
        world.project_with("Board", EngineFixture::workflow("no-review"), settings).await?;
    world.settle().await?;
    let agent = world.agent("coder", "echo new > added.txt").await?;
    let task = world.task(project, TaskSpec { title: "Ride".to_owned(), ..TaskSpec::default() });
    let task = task.await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    Ok(project)
}

async fn run(faults: FaultSweep, pool: PoolLimits) -> (EndState, Vec<&'static str>) {
    through(EngineFixture::with_pool(faults, None, pool).await).await
}

async fn through(mut world: EngineFixture) -> (EndState, Vec<&'static str>) {
    let project = world.run_to_completion(scenario).await;
    (world.end_state(project).await, world.faults.passed())
}

fn is_of_landing(point: &str) -> bool {
    point.starts_with("trial.") || point.starts_with("land.")
}

/// The first fault point of trial and landing.
fn begins(points: &[&str]) -> usize {
    points.iter().position(|point| is_of_landing(point)).unwrap_or_default()
}

async fn sweep(fault: FaultAction, pool: PoolLimits) {
    let (expected, points) = run(FaultSweep::counting(), pool).await;
    assert_eq!(expected.landed, ["Ride (T-1)", "first"], "{expected:#?}");
    assert_eq!((expected.open_steps, expected.checkouts), (0, 1));
    assert!(expected.workspaces.is_empty(), "{expected:#?}");
    assert!(points.iter().filter(|point| is_of_landing(point)).count() >= 7, "{points:?}");
    let again = async |faults| run(faults, pool).await.0;
    sweep_faults(fault, &points, begins(&points)..points.len(), &expected, again).await;
}

#[tokio::test]
async fn p_4_m_11_dying_at_every_point_of_a_trial_and_its_landing_lands_once() {
    sweep(FaultAction::Die, PoolLimits::NONE).await;
}

#[tokio::test]
async fn p_4_m_11_dying_on_a_trial_from_the_pool_lands_once_and_refills_it() {
    sweep(FaultAction::Die, POOL).await;
}

#[tokio::test]
async fn m_1_m_11_failing_at_every_point_of_a_trial_and_its_landing_lands_once() {
    sweep(FaultAction::Fail, POOL).await;
}

#[tokio::test]
async fn p_4_m_11_a_trial_and_its_landing_killed_anywhere_land_once() {
    const TEST: &str = "p_4_m_11_a_trial_and_its_landing_killed_anywhere_land_once";
    let limits = EngineLimits { pool: POOL, ..EngineFixture::limits() };
    kill_at_every_point(TEST, limits, async |world| {
        let (end_state, points) = through(world).await;
        CompletedScenario { end_state, first_point: begins(&points), points }
    })
    .await;
}
