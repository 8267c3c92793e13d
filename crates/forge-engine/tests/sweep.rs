//! The whole path from a new task to the landed branch, again and again: failing, dying, and killed, at every fault point.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::ProjectId;
use forge_domain::task::ReviewConfig;
use forge_engine::{EngineError, Fault, Limits, NewTask, PoolLimits};
use forge_testkit::fault_sweep::{FaultSweep, strike_at};
use forge_testkit::killed::{Passed, killed_anywhere};
use forge_testkit::traces::Traces;
use forge_testkit::world::World;

const POOL: PoolLimits = PoolLimits { size: 1, disk_bytes: u64::MAX };

/// Create → claimed → worked → checked → passed by a person → landed → cleaned. Every verb reaches its goal from
/// wherever the last death left things.
async fn scenario(world: &World) -> Result<ProjectId, EngineError> {
    world.repository.write(".git/info/exclude", "/.forge.lock\n/.env\n/.worktreeinclude\n");
    world.repository.write(".env", "KEY=1\n");
    world.repository.write(".worktreeinclude", ".env\n");
    let setup = serde_json::json!({
        "commands": ["grep -q KEY .env", "test $FORGE_PORT_1 -gt 0 && test \"$NAME\" = value"],
        "env": { "NAME": "value" },
        "ports": 2,
    });
    let settings = serde_json::json!({ "setup": setup });
    let project = world.project_with("Board", World::workflow("default"), settings).await?;
    // Whatever waits for tasks is there before one is claimed.
    world.settle().await?;
    // It is killed on the way, and `sed -i` would leave its temporary file to be committed.
    let script = "echo new > added.txt; printf 'one\\nTWO\\nthree\\n' > numbers.txt";
    let agent = world.agent("coder", script).await?;
    let review_config = Some(ReviewConfig {
        ci_steps: vec!["grep -q TWO numbers.txt".into()],
        ..Default::default()
    });
    let asked = NewTask { title: "Walk".to_owned(), review_config, ..NewTask::default() };
    let task = world.task(project, asked).await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    world.advance(task, "review", "merging").await?;
    world.settle().await?;
    Ok(project)
}

async fn run(faults: FaultSweep, pool: PoolLimits) -> (Traces, Vec<&'static str>) {
    let world = World::with_pool(faults, None, pool).await;
    through(world).await
}

async fn through(mut world: World) -> (Traces, Vec<&'static str>) {
    let project = world.through(scenario).await;
    (world.traces(project).await, world.faults.passed())
}

async fn sweep(fault: Fault, pool: PoolLimits) {
    let (expected, points) = run(FaultSweep::counting(), pool).await;
    assert_eq!(expected.tasks["Walk"].state, "done", "{expected:#?}");
    assert!(expected.tasks["Walk"].replays);
    assert_eq!((expected.open_steps, expected.checkouts, expected.ports), (0, 1, 0));
    assert_eq!(points.iter().filter(|point| point.starts_with("setup.")).count(), 7, "{points:?}");
    assert_eq!(expected.waiting, (pool.size, 0), "the pool is full again");
    assert!(points.len() > 20, "the path has many points: {points:?}");
    let passes = |point: &str| points.iter().any(|passed| passed.starts_with(point));
    assert_eq!((passes("adopt."), passes("pool.")), (pool.size > 0, pool.size > 0), "{points:?}");
    let again = async |faults| run(faults, pool).await.0;
    strike_at(fault, &points, 0..points.len(), &expected, again).await;
}

#[tokio::test]
async fn p_4_dying_at_every_point_leads_to_the_same_end() {
    sweep(Fault::Die, PoolLimits::NONE).await;
}

#[tokio::test]
async fn p_4_w_15_dying_at_every_point_of_a_claim_from_the_pool_leads_to_the_same_end() {
    sweep(Fault::Die, POOL).await;
}

#[tokio::test]
async fn m_1_failing_at_every_point_leads_to_the_same_end() {
    sweep(Fault::Fail, POOL).await;
}

#[tokio::test]
async fn p_4_w_15_killed_at_any_point_a_new_process_leads_to_the_same_end() {
    const TEST: &str = "p_4_w_15_killed_at_any_point_a_new_process_leads_to_the_same_end";
    let limits = Limits { pool: POOL, ..World::limits() };
    killed_anywhere(TEST, limits, async |world| {
        let (end, points) = through(world).await;
        Passed { end, points, from: 0 }
    })
    .await;
}
