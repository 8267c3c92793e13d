//! A branch that nobody checked before, from the line of its target to the landed commit: failing, and dying, at every
//! fault point of trial and landing (P-4, M-1, M-11).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::ProjectId;
use forge_engine::{EngineError, Fault, Limits, NewTask, PoolLimits};
use forge_testkit::fault_sweep::{FaultSweep, strike_at};
use forge_testkit::killed::{Passed, killed_anywhere};
use forge_testkit::traces::Traces;
use forge_testkit::world::World;
use serde_json::json;

const POOL: PoolLimits = PoolLimits { size: 1, disk_bytes: u64::MAX };

async fn scenario(world: &World) -> Result<ProjectId, EngineError> {
    let settings = json!({
        "merge": { "train": true },
        "default_review_config": { "ci_steps": ["test -e added.txt", "echo mess > mess.txt"] },
    });
    let project = world.project_with("Board", World::workflow("no-review"), settings).await?;
    world.settle().await?;
    let agent = world.agent("coder", "echo new > added.txt").await?;
    let task = world.task(project, NewTask { title: "Ride".to_owned(), ..NewTask::default() });
    let task = task.await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    Ok(project)
}

async fn run(faults: FaultSweep, pool: PoolLimits) -> (Traces, Vec<&'static str>) {
    through(World::with_pool(faults, None, pool).await).await
}

async fn through(mut world: World) -> (Traces, Vec<&'static str>) {
    let project = world.through(scenario).await;
    (world.traces(project).await, world.faults.passed())
}

fn is_of_landing(point: &str) -> bool {
    point.starts_with("trial.") || point.starts_with("land.")
}

/// Where trial and landing begin.
fn begins(points: &[&str]) -> usize {
    points.iter().position(|point| is_of_landing(point)).unwrap_or_default()
}

async fn sweep(fault: Fault, pool: PoolLimits) {
    let (expected, points) = run(FaultSweep::counting(), pool).await;
    assert_eq!(expected.landed, ["Ride (T-1)", "first"], "{expected:#?}");
    assert_eq!((expected.open_steps, expected.checkouts), (0, 1));
    assert!(expected.workspaces.is_empty(), "{expected:#?}");
    assert!(points.iter().filter(|point| is_of_landing(point)).count() >= 7, "{points:?}");
    let again = async |faults| run(faults, pool).await.0;
    strike_at(fault, &points, begins(&points)..points.len(), &expected, again).await;
}

#[tokio::test]
async fn p_4_m_11_dying_at_every_point_of_a_trial_and_its_landing_lands_once() {
    sweep(Fault::Die, PoolLimits::NONE).await;
}

#[tokio::test]
async fn p_4_m_11_dying_on_a_trial_from_the_pool_lands_once_and_refills_it() {
    sweep(Fault::Die, POOL).await;
}

#[tokio::test]
async fn m_1_m_11_failing_at_every_point_of_a_trial_and_its_landing_lands_once() {
    sweep(Fault::Fail, POOL).await;
}

#[tokio::test]
async fn p_4_m_11_a_trial_and_its_landing_killed_anywhere_land_once() {
    const TEST: &str = "p_4_m_11_a_trial_and_its_landing_killed_anywhere_land_once";
    let limits = Limits { pool: POOL, ..World::limits() };
    killed_anywhere(TEST, limits, async |world| {
        let (end, points) = through(world).await;
        Passed { end, from: begins(&points), points }
    })
    .await;
}
