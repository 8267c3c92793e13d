//! Agents that show no sign of life (T-23): told, then stopped, with their work kept.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, Snapshot};
use forge_domain::{Assignee, Command, TaskId};
use forge_engine::{Clock, Limits, NewAgent};
use forge_store::tables;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::world::World;
use nix::sys::stat::Mode;
use std::path::PathBuf;
use tokio::task::JoinHandle;

/// Waits for what never comes, without another program: the start of one is a sign of life, however late it is seen.
const WAITS: &str = "read word < \"$HOME/never\"";

/// Nobody gives signs of life for the engine while the clock jumps, so its leases last longer than the jumps.
async fn patient_world() -> World {
    let limits = Limits { lease_seconds: 86_400, ..World::limits() };
    let world = World::with_limits(FaultSweep::counting(), None, limits).await;
    pipe(&world, "never");
    world
}

fn pipe(world: &World, name: &str) -> PathBuf {
    let path = world.home().join(name);
    nix::unistd::mkfifo(&path, Mode::S_IRWXU).unwrap();
    path
}

/// Carries everything out in the background, until the script has come to `$HOME/up`.
async fn up(world: &World, task: TaskId, up: &PathBuf) -> JoinHandle<()> {
    let engine = world.engine().clone();
    let draining = tokio::spawn(async move { engine.drain().await.unwrap() });
    tokio::fs::read(up).await.unwrap();
    let running = |task: &Snapshot| task.run.is_some() && !task.is_settling();
    world.engine().reached(task, running).await.unwrap();
    draining
}

fn pass(world: &World, seconds: u64) {
    world.clock.advance_to(world.clock.now().plus_seconds(seconds));
}

/// Until what the agent did at its beginning has been seen: the first look may have been before it.
async fn seen(world: &World) {
    const PAUSE: u64 = 60;
    let began = world.clock.now();
    world.clock.until_awaited(began.plus_seconds(PAUSE)).await;
    pass(world, PAUSE);
    world.clock.until_awaited(began.plus_seconds(2 * PAUSE)).await;
}

/// Lets time pass until the agent is known to be silent. On a busy machine the last that it did may be seen late, and is a
/// sign of life like any other: then it takes another ten minutes.
async fn stalled(world: &World, task: TaskId) -> Snapshot {
    loop {
        pass(world, 600);
        world.clock.until_awaited(world.clock.now().plus_seconds(60)).await;
        let now = world.now(task).await;
        if trouble(&now) == Some(AnnotationType::Stalled) {
            return now;
        }
    }
}

fn trouble(task: &Snapshot) -> Option<AnnotationType> {
    task.annotation.as_ref().map(|trouble| trouble.kind)
}

#[tokio::test]
async fn t_23_a_silent_agent_is_told_then_stopped_and_its_work_kept() {
    let world = patient_world().await;
    let began = pipe(&world, "up");
    let script = format!("echo half > half.txt; echo > \"$HOME/up\"; {WAITS}");
    let project = world.board().await;
    let task = world.claimed(project, World::titled("Work"), "coder", &script).await;
    let draining = up(&world, task, &began).await;
    seen(&world).await;

    let seen = stalled(&world, task).await;
    assert_eq!(seen.state.as_str(), "in_progress", "nothing is touched");
    let events = tables::events::of_task(world.engine().db(), task).await.unwrap();
    assert!(events.iter().any(|event| event.kind == "execution.stalled"));

    pass(&world, 3000);
    draining.await.unwrap();
    let parked = world.now(task).await;
    assert_eq!((parked.state.as_str(), trouble(&parked)), ("blocked", Some(AnnotationType::Stuck)));
    assert!(parked.run.is_none());
    let entries = world.engine().journal_entries(&parked).await.unwrap();
    // A state that was saved a moment before is not saved twice.
    let saved = entries.last().expect("its files are in the journal");
    let file = format!("{}:half.txt", saved.commit);
    assert_eq!(world.repository.git(&["show", &file]).await, "half");
    let branch = parked.workspace.unwrap().branch;
    let committed = world.repository.git(&["show", &format!("{branch}:half.txt")]).await;
    assert_eq!(committed, "half");
}

#[tokio::test]
async fn t_23_a_changed_file_is_a_sign_of_life() {
    let world = patient_world().await;
    let (began, go, did) = (pipe(&world, "up"), pipe(&world, "go"), pipe(&world, "did"));
    let script = format!(
        "echo > \"$HOME/up\"; read word < \"$HOME/go\"; echo x > sign.txt; echo > \"$HOME/did\"; {WAITS}"
    );
    let project = world.board().await;
    let task = world.claimed(project, World::titled("Work"), "coder", &script).await;
    let draining = up(&world, task, &began).await;
    seen(&world).await;
    stalled(&world, task).await;
    tokio::fs::write(&go, "go\n").await.unwrap();
    tokio::fs::read(&did).await.unwrap();
    pass(&world, 60);
    let seen = world.engine().reached(task, |task| trouble(task).is_none()).await.unwrap();
    assert!(seen.run.is_some(), "it goes on");
    let cancel = Command::Cancel { reason: None };
    world.engine().handle(World::person(), task, cancel).await.unwrap();
    draining.await.unwrap();
}

#[tokio::test]
async fn t_23_an_agent_has_thresholds_of_its_own() {
    let world = patient_world().await;
    let began = pipe(&world, "up");
    let script = format!("echo > \"$HOME/up\"; {WAITS}");
    let asked = NewAgent {
        name: "hasty".to_owned(),
        executor: serde_json::json!({
            "kind": "shell", "command": ["sh", "-ec", script], "stalled_after_seconds": 5, "stopped_after_seconds": 9,
        }),
        roles: Vec::new(),
        max_concurrent: 1,
        ephemeral: false,
        fallback: None,
    };
    let agent = world.engine().create_agent(World::person(), asked).await.unwrap().id;
    let project = world.board().await;
    let task = world.task(project, World::titled("Work")).await.unwrap();
    let claimer = Assignee::Agent { id: agent };
    world.engine().handle(World::person(), task, Command::Claim { claimer }).await.unwrap();
    let draining = up(&world, task, &began).await;
    pass(&world, 9);
    draining.await.unwrap();
    assert_eq!(trouble(&world.now(task).await), Some(AnnotationType::Stuck));
}
