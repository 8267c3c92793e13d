//! The whole path from a new task to the landed branch with a failure, a death and a kill at every fault point.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::ProjectId;
use forge_domain::task::ReviewConfig;
use forge_engine::{EngineError, EngineLimits, FaultAction, PoolLimits, TaskSpec};
use forge_testkit::end_state::EndState;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::{FaultSweep, sweep_faults};
use forge_testkit::kill_sweep::{CompletedScenario, kill_at_every_point};

const POOL: PoolLimits = PoolLimits { size: 1, disk_bytes: u64::MAX };

/// Created → claimed → worked on → checked → approved → landed → cleaned. Every step can continue from wherever the
/// last death left things.
async fn scenario(world: &EngineFixture) -> Result<ProjectId, EngineError> {
    world.repository.write(".git/info/exclude", "/.forge.lock\n/.env\n/.worktreeinclude\n");
    world.repository.write(".env", "KEY=1\n");
    world.repository.write(".worktreeinclude", ".env\n");
    let setup = serde_json::json!({
        "commands": ["grep -q KEY .env", "test $FORGE_PORT_1 -gt 0 && test \"$NAME\" = value"],
        "env": { "NAME": "value" },
        "ports": 2,
    });
    let settings = serde_json::json!({ "setup": setup });
    let project = world.project_with("Board", EngineFixture::workflow("default"), settings).await?;
    // Fill the pool before a task is claimed.
    world.settle().await?;
    // The agent may be killed, and `sed -i` would leave its temporary file to be committed.
    let script = "echo new > added.txt; printf 'one\\nTWO\\nthree\\n' > numbers.txt";
    let agent = world.agent("coder", script).await?;
    let review_config = Some(ReviewConfig {
        ci_steps: vec!["grep -q TWO numbers.txt".into()],
        ..Default::default()
    });
    let asked = TaskSpec { title: "Walk".to_owned(), review_config, ..TaskSpec::default() };
    let task = world.task(project, asked).await?;
    world.claim(task, agent).await?;
    world.settle().await?;
    world.move_between(task, "review", "merging").await?;
    world.settle().await?;
    Ok(project)
}

async fn run(faults: FaultSweep, pool: PoolLimits) -> (EndState, Vec<&'static str>) {
    let world = EngineFixture::with_pool(faults, None, pool).await;
    through(world).await
}

async fn through(mut world: EngineFixture) -> (EndState, Vec<&'static str>) {
    let project = world.run_to_completion(scenario).await;
    (world.end_state(project).await, world.faults.passed())
}

async fn sweep(fault: FaultAction, pool: PoolLimits) {
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
    sweep_faults(fault, &points, 0..points.len(), &expected, again).await;
}

#[tokio::test]
async fn p_4_dying_at_every_point_leads_to_the_same_end() {
    sweep(FaultAction::Die, PoolLimits::NONE).await;
}

#[tokio::test]
async fn p_4_w_15_dying_at_every_point_of_a_claim_from_the_pool_leads_to_the_same_end() {
    sweep(FaultAction::Die, POOL).await;
}

#[tokio::test]
async fn m_1_failing_at_every_point_leads_to_the_same_end() {
    sweep(FaultAction::Fail, POOL).await;
}

#[tokio::test]
async fn p_4_w_15_killed_at_any_point_a_new_process_leads_to_the_same_end() {
    const TEST: &str = "p_4_w_15_killed_at_any_point_a_new_process_leads_to_the_same_end";
    let limits = EngineLimits { pool: POOL, ..EngineFixture::limits() };
    kill_at_every_point(TEST, limits, async |world| {
        let (end_state, points) = through(world).await;
        CompletedScenario { end_state, points, first_point: 0 }
    })
    .await;
}
