//! Agents that outlive their server, and servers that stop in order (E-12, E-13).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::Snapshot;
use forge_domain::{Command, Ending, ProjectId, RunResult, TaskId};
use forge_engine::{Clock, Engine, Limits, NewProject, OnRestart, RunsFound};
use forge_store::tables::{self, executions::Execution};
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::world::World;
use nix::sys::stat::Mode;
use serde_json::json;
use std::path::PathBuf;
use tokio::task::JoinHandle;

/// Comes up, waits to be told, and goes on.
const WORKS: &str = "echo one; echo half > half.txt; exec 3> \"$HOME/alive\"; echo > \"$HOME/up\"; \
                     read word < \"$HOME/go\"; echo two; echo whole > whole.txt";

async fn world(on_restart: OnRestart) -> World {
    let limits = Limits { on_restart, ..World::limits() };
    let world = World::with_limits(FaultSweep::counting(), None, limits).await;
    for name in ["up", "go", "alive"] {
        nix::unistd::mkfifo(&pipe(&world, name), Mode::S_IRWXU).unwrap();
    }
    world
}

fn pipe(world: &World, name: &str) -> PathBuf {
    world.home().join(name)
}

fn carrying_out(engine: &Engine) -> JoinHandle<()> {
    let engine = engine.clone();
    // It ends with its engine, one way or the other.
    tokio::spawn(async move { engine.drain().await.unwrap_or_default() })
}

/// Carries everything out until the script has come up; gives what tells that it is gone.
async fn up(world: &World, task: TaskId) -> JoinHandle<Vec<u8>> {
    carrying_out(world.engine());
    let alive = tokio::spawn(tokio::fs::read(pipe(world, "alive")));
    tokio::fs::read(pipe(world, "up")).await.unwrap();
    let running = |task: &Snapshot| task.run.is_some() && !task.is_settling();
    world.engine().reached(task, running).await.unwrap();
    tokio::spawn(async move { alive.await.unwrap().unwrap() })
}

async fn at_work(world: &World) -> (TaskId, JoinHandle<Vec<u8>>) {
    let project = world.board().await;
    let task = world.claimed(project, World::titled("Work"), "coder", WORKS).await;
    let alive = up(world, task).await;
    (task, alive)
}

async fn go(world: &World) {
    tokio::fs::write(pipe(world, "go"), "go\n").await.unwrap();
}

async fn runs(world: &World, task: TaskId) -> Vec<Execution> {
    tables::executions::list_of_task(world.engine().db(), task).await.unwrap()
}

fn endings(runs: &[Execution]) -> Vec<Option<Ending>> {
    let outcome = |run: &Execution| run.outcome.as_ref().map(|result: &RunResult| result.ending);
    runs.iter().map(outcome).collect()
}

async fn printed(world: &World, run: &Execution) -> String {
    let bytes = world.engine().read_output(run.id, 0, 1 << 20).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

fn found(world: &World) -> RunsFound {
    world.engine().recovery().expect("the start is over").runs
}

const DONE: Option<Ending> = Some(Ending::Exited { code: 0 });

#[tokio::test]
async fn e_12_an_agent_goes_on_under_the_next_server_and_the_task_advances() {
    let mut world = world(OnRestart::Adopt).await;
    let (task, _alive) = at_work(&world).await;
    world.stop().await;
    // Nobody could hear it meanwhile, so this is no silence.
    world.clock.advance_to(world.clock.now().plus_seconds(100_000));
    world.restart().await;
    assert_eq!(found(&world), RunsFound { adopted: 1, ..RunsFound::default() });
    let first = runs(&world, task).await;
    let sign = world.directory(task).await.join(".forge.lock");
    let sign = std::fs::read_to_string(sign).expect("the workspace is held before anything begins");
    assert!(sign.contains(&first[0].id.to_string()), "{sign}");

    let draining = carrying_out(world.engine());
    go(&world).await;
    draining.await.unwrap();
    let after = runs(&world, task).await;
    assert_eq!(endings(&after), [DONE], "one run, as if nothing had happened");
    assert_eq!(printed(&world, &after[0]).await, "one\ntwo\n");
    let done = world.now(task).await;
    assert_eq!(done.state.as_str(), "review", "{:?}", done.annotation);
    let branch = done.workspace.unwrap().branch;
    for (file, text) in [("half.txt", "half"), ("whole.txt", "whole")] {
        assert_eq!(world.repository.git(&["show", &format!("{branch}:{file}")]).await, text);
    }
    let logs = world.home().join("data").join("logs");
    let left = std::fs::read_dir(logs).unwrap().flatten().map(|entry| entry.file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains("spool")).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test]
async fn e_12_an_agent_that_finishes_without_a_server_is_not_run_again() {
    let mut world = world(OnRestart::Adopt).await;
    let (task, alive) = at_work(&world).await;
    world.stop().await;
    go(&world).await;
    alive.await.unwrap();
    world.restart().await;
    let RunsFound { adopted, finished, ended, lost } = found(&world);
    // Its last words may still be on their way to the file.
    assert_eq!((adopted + finished, ended, lost), (1, 0, 0));
    world.settle().await.unwrap();
    let after = runs(&world, task).await;
    assert_eq!(endings(&after), [DONE]);
    assert_eq!(printed(&world, &after[0]).await, "one\ntwo\n");
    assert_eq!(world.now(task).await.state.as_str(), "review");
}

#[tokio::test]
async fn e_12_a_failure_without_a_server_is_a_failure() {
    let mut world = world(OnRestart::Adopt).await;
    let project = world.board().await;
    let script = format!("{WORKS}; exit 7");
    let task = world.claimed(project, World::titled("Work"), "coder", &script).await;
    let alive = up(&world, task).await;
    world.stop().await;
    go(&world).await;
    alive.await.unwrap();
    world.restart().await;
    world.settle().await.unwrap();
    assert_eq!(endings(&runs(&world, task).await), [Some(Ending::Exited { code: 7 })]);
}

#[tokio::test]
async fn e_13_a_stop_that_ends_agents_keeps_their_work_and_they_begin_again() {
    let mut world = world(OnRestart::End).await;
    let (task, alive) = at_work(&world).await;
    world.stop().await;
    alive.await.unwrap();
    world.restart().await;
    assert_eq!(found(&world), RunsFound::default(), "nothing was left to put right");
    let after = runs(&world, task).await;
    assert_eq!(endings(&after), [Some(Ending::Lost), None], "the next waits to begin");
    let now = world.now(task).await;
    let branch = now.workspace.clone().unwrap().branch;
    assert_eq!(world.repository.git(&["show", &format!("{branch}:half.txt")]).await, "half");
    assert!(!world.engine().journal_entries(&now).await.unwrap().is_empty());

    let draining = carrying_out(world.engine());
    let _alive = tokio::spawn(tokio::fs::read(pipe(&world, "alive")));
    tokio::fs::read(pipe(&world, "up")).await.unwrap();
    go(&world).await;
    draining.await.unwrap();
    assert_eq!(endings(&runs(&world, task).await), [Some(Ending::Lost), DONE]);
    assert_eq!(world.now(task).await.state.as_str(), "review");
}

#[tokio::test]
async fn e_13_no_agent_is_started_by_a_server_that_stops() {
    let mut world = world(OnRestart::Adopt).await;
    world.engine().wind_down();
    let project = world.board().await;
    let task =
        world.claimed(project, World::titled("Work"), "coder", "echo x > \"$HOME/ran\"").await;
    world.engine().drain().await.unwrap();
    assert!(world.lines("ran").is_empty());
    world.restart().await;
    world.settle().await.unwrap();
    assert_eq!(world.lines("ran"), ["x"]);
    assert_eq!(endings(&runs(&world, task).await), [DONE]);
}

#[tokio::test]
async fn t_12_a_run_is_cancelled_before_the_next_server_went_on_with_it() {
    let mut world = world(OnRestart::Adopt).await;
    let (task, alive) = at_work(&world).await;
    world.stop().await;
    world.restart().await;
    let cancel = Command::Cancel { reason: None };
    world.engine().handle(World::person(), task, cancel).await.unwrap();
    world.settle().await.unwrap();
    alive.await.unwrap();
    let now = world.now(task).await;
    assert_eq!(now.state.as_str(), "cancelled", "{:?}", now.annotation);
    assert_eq!(endings(&runs(&world, task).await), [Some(Ending::Stopped)]);
    assert!(!world.directory(task).await.join(".forge.lock").exists(), "nobody holds it");
}

/// Another node took the turn over while this one was away, and brought it to its end.
#[tokio::test]
async fn e_12_an_agent_whose_run_is_over_does_not_go_on() {
    let mut world = world(OnRestart::Adopt).await;
    let (task, alive) = at_work(&world).await;
    let execution = runs(&world, task).await[0].id;
    world.stop().await;
    let (home, database) = (world.home().join("data"), world.home().join("data/forge.db"));
    let db = forge_store::Db::open(&forge_store::DatabaseUrl::sqlite(database)).await.unwrap();
    let close = "UPDATE executions SET open = FALSE WHERE id = $1";
    let closed: Result<_, forge_store::StoreError> = db
        .write(move |tx| {
            Box::pin(async move { tx.execute(forge_store::stmt(close).bind(execution)).await })
        })
        .await;
    assert_eq!(closed.unwrap(), 1);
    db.close().await;
    world.restart().await;
    alive.await.unwrap();
    let spool = home.join("logs").join(format!("{execution}.log.spool"));
    assert!(!spool.exists());
}

async fn plain(world: &World) -> ProjectId {
    let asked = NewProject {
        name: "Plain".to_owned(),
        workspace_type: "persistent_directory".to_owned(),
        workflow: World::workflow("autopilot"),
        settings: json!({}),
    };
    world.engine().create_project(World::person(), asked).await.unwrap().id
}

/// All tasks of the project work in one directory: the second waits for the first, also over a restart.
#[tokio::test]
async fn p_5_an_adopted_agent_is_alone_in_its_directory() {
    let mut world = world(OnRestart::Adopt).await;
    let project = plain(&world).await;
    let alone = "mkdir busy || echo double >> \"$HOME/double\"";
    let script = format!("{alone}; {WORKS}; rmdir busy; echo first >> \"$HOME/order\"");
    let first = world.claimed(project, World::titled("First"), "one", &script).await;
    let _alive = up(&world, first).await;
    let script = format!("{alone}; echo second >> \"$HOME/order\"; rmdir busy");
    let second = world.claimed(project, World::titled("Second"), "two", &script).await;
    world.stop().await;
    world.restart().await;
    assert_eq!(found(&world).adopted, 1);
    let draining = carrying_out(world.engine());
    go(&world).await;
    draining.await.unwrap();
    world.settle().await.unwrap();
    assert_eq!(world.lines("double"), Vec::<String>::new());
    assert_eq!(world.lines("order"), ["first", "second"]);
    for task in [first, second] {
        assert_eq!(endings(&runs(&world, task).await), [DONE]);
    }
}
