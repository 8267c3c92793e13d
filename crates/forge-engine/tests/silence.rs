//! Silent agents (T-23): reported, then stopped, with their work kept.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::{Assignee, TaskCommand, TaskId};
use forge_engine::{AgentSpec, Clock, EngineLimits};
use forge_store::tables;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use nix::sys::stat::Mode;
use std::path::PathBuf;
use tokio::task::JoinHandle;

/// Waits forever without another program: starting one would be a sign of life, however late it is seen.
const WAITS: &str = "read word < \"$HOME/never\"";

/// No heartbeat runs while the clock jumps, so the leases last longer than the jumps.
async fn patient_world() -> EngineFixture {
    let limits = EngineLimits { lease_seconds: 86_400, ..EngineFixture::limits() };
    let world = EngineFixture::with_limits(FaultSweep::counting(), None, limits).await;
    pipe(&world, "never");
    world
}

fn pipe(world: &EngineFixture, name: &str) -> PathBuf {
    let path = world.home().join(name);
    nix::unistd::mkfifo(&path, Mode::S_IRWXU).unwrap();
    path
}

/// Performs effects in the background until the script has reached `$HOME/up`.
async fn up(world: &EngineFixture, task: TaskId, up: &PathBuf) -> JoinHandle<()> {
    let engine = world.engine().clone();
    let draining = tokio::spawn(async move { engine.drain().await.unwrap() });
    tokio::fs::read(up).await.unwrap();
    let running = |task: &TaskSnapshot| task.run.is_some() && !task.is_settling();
    world.engine().progress().wait_until(task, running).await.unwrap();
    draining
}

fn pass(world: &EngineFixture, seconds: u64) {
    world.clock.advance_to(world.clock.now().plus_seconds(seconds));
}

/// Waits until the agent's first activity was seen: the first sample may have been before it.
async fn seen(world: &EngineFixture) {
    const PAUSE: u64 = 60;
    let began = world.clock.now();
    world.clock.wait_until_awaited(began.plus_seconds(PAUSE)).await;
    pass(world, PAUSE);
    world.clock.wait_until_awaited(began.plus_seconds(2 * PAUSE)).await;
}

/// Lets time pass until the agent is reported as silent. On a busy machine its last activity may be seen late; then it
/// takes another ten minutes.
async fn stalled(world: &EngineFixture, task: TaskId) -> TaskSnapshot {
    loop {
        pass(world, 600);
        world.clock.wait_until_awaited(world.clock.now().plus_seconds(60)).await;
        let now = world.load_task(task).await;
        if trouble(&now) == Some(AnnotationType::Stalled) {
            return now;
        }
    }
}

fn trouble(task: &TaskSnapshot) -> Option<AnnotationType> {
    task.annotation.as_ref().map(|trouble| trouble.kind)
}

#[tokio::test]
async fn t_23_a_silent_agent_is_reported_then_stopped_and_its_work_kept() {
    let world = patient_world().await;
    let began = pipe(&world, "up");
    let script = format!("echo half > half.txt; echo > \"$HOME/up\"; {WAITS}");
    let project = world.board_project().await;
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", &script).await;
    let draining = up(&world, task, &began).await;
    seen(&world).await;

    let seen = stalled(&world, task).await;
    assert_eq!(seen.state.as_str(), "in_progress", "nothing is touched");
    let events = tables::events::of_task(world.engine().db(), task).await.unwrap();
    assert!(events.iter().any(|event| event.kind == "execution.stalled"));

    pass(&world, 3000);
    draining.await.unwrap();
    let parked = world.load_task(task).await;
    assert_eq!((parked.state.as_str(), trouble(&parked)), ("blocked", Some(AnnotationType::Stuck)));
    assert!(parked.run.is_none());
    let entries = world.engine().journals().journal_entries(&parked).await.unwrap();
    // A state saved a moment before is not saved twice.
    let saved = entries.last().expect("its files are in the journal");
    let file = format!("{}:half.txt", saved.commit);
    assert_eq!(world.repository.git(&["show", &file]).await, "half");
    // Issue 13, number 3: a stopped execution's changes are not committed; a person decides about them.
    let workspace = parked.workspace.unwrap();
    let file = std::path::Path::new(&workspace.path).join("half.txt");
    assert_eq!(std::fs::read_to_string(file).unwrap(), "half\n", "they stay in the files");
    assert_eq!(world.repository.subjects(&workspace.branch).await, ["first"]);
}

#[tokio::test]
async fn t_23_a_changed_file_is_a_sign_of_life() {
    let world = patient_world().await;
    let (began, go, did) = (pipe(&world, "up"), pipe(&world, "go"), pipe(&world, "did"));
    let script = format!(
        "echo > \"$HOME/up\"; read word < \"$HOME/go\"; echo x > sign.txt; echo > \"$HOME/did\"; {WAITS}"
    );
    let project = world.board_project().await;
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", &script).await;
    let draining = up(&world, task, &began).await;
    seen(&world).await;
    stalled(&world, task).await;
    tokio::fs::write(&go, "go\n").await.unwrap();
    tokio::fs::read(&did).await.unwrap();
    pass(&world, 60);
    let seen =
        world.engine().progress().wait_until(task, |task| trouble(task).is_none()).await.unwrap();
    assert!(seen.run.is_some(), "it goes on");
    let cancel = TaskCommand::Cancel { reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), task, cancel).await.unwrap();
    draining.await.unwrap();
}

#[tokio::test]
async fn t_23_an_agent_has_thresholds_of_its_own() {
    let world = patient_world().await;
    let began = pipe(&world, "up");
    let script = format!("echo > \"$HOME/up\"; {WAITS}");
    let asked = AgentSpec {
        name: "hasty".to_owned(),
        executor: serde_json::json!({
            "kind": "shell", "command": ["sh", "-ec", script], "stalled_after_seconds": 5, "stopped_after_seconds": 9,
        }),
        roles: Vec::new(),
        max_concurrent: 1,
        ephemeral: false,
        fallback: None,
    };
    let agent =
        world.engine().agents().create_agent(EngineFixture::acting_user(), asked).await.unwrap().id;
    let project = world.board_project().await;
    let task = world.task(project, EngineFixture::task_request("Work")).await.unwrap();
    let claimer = Assignee::Agent { id: agent };
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), task, TaskCommand::Claim { claimer })
        .await
        .unwrap();
    let draining = up(&world, task, &began).await;
    pass(&world, 9);
    draining.await.unwrap();
    assert_eq!(trouble(&world.load_task(task).await), Some(AnnotationType::Stuck));
}
