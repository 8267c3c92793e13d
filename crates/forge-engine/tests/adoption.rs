//! Agents that outlive their server, and servers that stop in order (E-12, E-13).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::project::ProjectSettings;
use forge_domain::task::TaskSnapshot;
use forge_domain::{
    ExecutionEnding, ExecutionResult, ProjectId, TaskCommand, TaskId, WorkspaceType,
};
use forge_engine::{
    Clock, Engine, EngineLimits, FaultAction, ProjectSpec, RecoveredExecutions, RestartPolicy,
};
use forge_store::tables::{self, executions::ExecutionRow};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use nix::sys::stat::Mode;
use std::path::PathBuf;
use tokio::task::JoinHandle;

/// Starts, waits for a word on a pipe, and continues.
const WORKS: &str = "echo one; echo half > half.txt; exec 3> \"$HOME/alive\"; echo > \"$HOME/up\"; \
                     read word < \"$HOME/go\"; echo two; echo whole > whole.txt";

async fn world(on_restart: RestartPolicy) -> EngineFixture {
    let limits = EngineLimits { restart_policy: on_restart, ..EngineFixture::limits() };
    let world = EngineFixture::with_limits(FaultSweep::counting(), None, limits).await;
    for name in ["up", "go", "alive"] {
        nix::unistd::mkfifo(&pipe(&world, name), Mode::S_IRWXU).unwrap();
    }
    world
}

fn pipe(world: &EngineFixture, name: &str) -> PathBuf {
    world.home().join(name)
}

fn carrying_out(engine: &Engine) -> JoinHandle<()> {
    let engine = engine.clone();
    // The task ends with its engine.
    tokio::spawn(async move { engine.drain().await.unwrap_or_default() })
}

/// Performs effects until the script has started; returns a handle that completes when the script is gone.
async fn up(world: &EngineFixture, task: TaskId) -> JoinHandle<Vec<u8>> {
    carrying_out(world.engine());
    let alive = tokio::spawn(tokio::fs::read(pipe(world, "alive")));
    tokio::fs::read(pipe(world, "up")).await.unwrap();
    let running = |task: &TaskSnapshot| task.run.is_some() && !task.is_settling();
    world.engine().progress().wait_until(task, running).await.unwrap();
    tokio::spawn(async move { alive.await.unwrap().unwrap() })
}

async fn at_work(world: &EngineFixture) -> (TaskId, JoinHandle<Vec<u8>>) {
    let project = world.board_project().await;
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", WORKS).await;
    let alive = up(world, task).await;
    (task, alive)
}

async fn go(world: &EngineFixture) {
    tokio::fs::write(pipe(world, "go"), "go\n").await.unwrap();
}

async fn runs(world: &EngineFixture, task: TaskId) -> Vec<ExecutionRow> {
    tables::executions::list_of_task(world.engine().db(), task).await.unwrap()
}

fn endings(runs: &[ExecutionRow]) -> Vec<Option<ExecutionEnding>> {
    let outcome =
        |run: &ExecutionRow| run.outcome.as_ref().map(|result: &ExecutionResult| result.ending);
    runs.iter().map(outcome).collect()
}

async fn printed(world: &EngineFixture, run: &ExecutionRow) -> String {
    let bytes = world.engine().transcripts().read_output(run.id, 0, 1 << 20).await.unwrap();
    String::from_utf8(bytes).unwrap()
}

fn found(world: &EngineFixture) -> RecoveredExecutions {
    world.engine().recovery().runs
}

const DONE: Option<ExecutionEnding> = Some(ExecutionEnding::Exited { code: 0 });

#[tokio::test]
async fn e_12_the_next_server_adopts_an_agent_and_the_task_advances() {
    let mut world = world(RestartPolicy::Adopt).await;
    let (task, _alive) = at_work(&world).await;
    world.stop().await;
    // The server was down meanwhile, so this does not count as silence.
    world.clock.advance_to(world.clock.now().plus_seconds(100_000));
    world.restart().await;
    assert_eq!(found(&world), RecoveredExecutions { adopted: 1, ..RecoveredExecutions::default() });
    let first = runs(&world, task).await;
    let sign = world.workspace_dir(task).await.join(".forge.lock");
    let sign = std::fs::read_to_string(sign).expect("the workspace is held before anything begins");
    assert!(sign.contains(&first[0].id.to_string()), "{sign}");

    let draining = carrying_out(world.engine());
    go(&world).await;
    draining.await.unwrap();
    let after = runs(&world, task).await;
    assert_eq!(endings(&after), [DONE], "one run, as if nothing had happened");
    assert_eq!(printed(&world, &after[0]).await, "one\ntwo\n");
    let done = world.load_task(task).await;
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
    let mut world = world(RestartPolicy::Adopt).await;
    let (task, alive) = at_work(&world).await;
    world.stop().await;
    go(&world).await;
    alive.await.unwrap();
    world.restart().await;
    let RecoveredExecutions { adopted, finished, ended, lost } = found(&world);
    // Its last output may still be on its way to the file.
    assert_eq!((adopted + finished, ended, lost), (1, 0, 0));
    world.settle().await.unwrap();
    let after = runs(&world, task).await;
    assert_eq!(endings(&after), [DONE]);
    assert_eq!(printed(&world, &after[0]).await, "one\ntwo\n");
    assert_eq!(world.load_task(task).await.state.as_str(), "review");
}

#[tokio::test]
async fn e_12_a_failure_without_a_server_is_a_failure() {
    let mut world = world(RestartPolicy::Adopt).await;
    let project = world.board_project().await;
    let script = format!("{WORKS}; exit 7");
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", &script).await;
    let alive = up(&world, task).await;
    world.stop().await;
    go(&world).await;
    alive.await.unwrap();
    world.restart().await;
    world.settle().await.unwrap();
    assert_eq!(endings(&runs(&world, task).await), [Some(ExecutionEnding::Exited { code: 7 })]);
}

#[tokio::test]
async fn e_13_a_stop_that_ends_agents_keeps_their_work_and_restarts_them() {
    let mut world = world(RestartPolicy::End).await;
    let (task, alive) = at_work(&world).await;
    world.stop().await;
    alive.await.unwrap();
    world.restart().await;
    assert_eq!(found(&world), RecoveredExecutions::default(), "nothing was left to put right");
    let after = runs(&world, task).await;
    assert_eq!(endings(&after), [Some(ExecutionEnding::Lost), None], "the next waits to begin");
    let now = world.load_task(task).await;
    let branch = now.workspace.clone().unwrap().branch;
    assert_eq!(world.repository.git(&["show", &format!("{branch}:half.txt")]).await, "half");
    assert!(!world.engine().journals().journal_entries(&now).await.unwrap().is_empty());

    let draining = carrying_out(world.engine());
    let _alive = tokio::spawn(tokio::fs::read(pipe(&world, "alive")));
    tokio::fs::read(pipe(&world, "up")).await.unwrap();
    go(&world).await;
    draining.await.unwrap();
    assert_eq!(endings(&runs(&world, task).await), [Some(ExecutionEnding::Lost), DONE]);
    assert_eq!(world.load_task(task).await.state.as_str(), "review");
}

#[tokio::test]
async fn e_13_no_agent_is_started_by_a_server_that_stops() {
    let mut world = world(RestartPolicy::Adopt).await;
    world.engine().shutdown().stop_starting_agents();
    let project = world.board_project().await;
    let task = world
        .claimed_task(
            project,
            EngineFixture::task_request("Work"),
            "coder",
            "echo x > \"$HOME/ran\"",
        )
        .await;
    world.engine().drain().await.unwrap();
    assert!(world.lines("ran").is_empty());
    world.restart().await;
    world.settle().await.unwrap();
    assert_eq!(world.lines("ran"), ["x"]);
    assert_eq!(endings(&runs(&world, task).await), [DONE]);
}

#[tokio::test]
async fn t_12_an_execution_is_cancelled_before_the_next_server_adopts_it() {
    let mut world = world(RestartPolicy::Adopt).await;
    let (task, alive) = at_work(&world).await;
    world.stop().await;
    world.restart().await;
    let cancel = TaskCommand::Cancel { reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), task, cancel).await.unwrap();
    world.settle().await.unwrap();
    alive.await.unwrap();
    let now = world.load_task(task).await;
    assert_eq!(now.state.as_str(), "cancelled", "{:?}", now.annotation);
    assert_eq!(endings(&runs(&world, task).await), [Some(ExecutionEnding::Stopped)]);
    assert!(!world.workspace_dir(task).await.join(".forge.lock").exists(), "the lock is free");
}

/// Another node took over the execution while this one was down, and finished it.
#[tokio::test]
async fn e_12_an_agent_whose_execution_is_over_is_ended() {
    let mut world = world(RestartPolicy::Adopt).await;
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

async fn plain(world: &EngineFixture) -> ProjectId {
    let asked = ProjectSpec {
        name: "Plain".to_owned(),
        workspace_type: WorkspaceType::PersistentDirectory,
        workflow: EngineFixture::workflow("autopilot"),
        settings: ProjectSettings::default(),
    };
    world.engine().projects().create_project(EngineFixture::acting_user(), asked).await.unwrap().id
}

/// All tasks of the project work in one directory: the second waits for the first, also across a restart.
#[tokio::test]
async fn p_5_an_adopted_agent_is_alone_in_its_directory() {
    let mut world = world(RestartPolicy::Adopt).await;
    let project = plain(&world).await;
    let alone = "mkdir busy || echo double >> \"$HOME/double\"";
    let script = format!("{alone}; {WORKS}; rmdir busy; echo first >> \"$HOME/order\"");
    let first =
        world.claimed_task(project, EngineFixture::task_request("First"), "one", &script).await;
    let _alive = up(&world, first).await;
    let script = format!("{alone}; echo second >> \"$HOME/order\"; rmdir busy");
    let second =
        world.claimed_task(project, EngineFixture::task_request("Second"), "two", &script).await;
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

/// Points at which a server can die or fail between the end of a program and the record of its result.
const ENDS: [&str; 4] = ["turn.seen", "turn.ended", "journal.written", "turn.collected"];

/// Performs effects until everything is done or the engine is dead.
async fn settle_or_die(world: &EngineFixture) {
    let died = world.faults.died();
    tokio::select! {
        biased;
        () = died.cancelled() => {}
        settled = world.settle() => settled.expect("everything is carried out"),
    }
}

async fn assert_ran_once(world: &EngineFixture, task: TaskId, what: &str) {
    assert_eq!(endings(&runs(world, task).await), [DONE], "{what}");
    assert_eq!(world.lines("ran"), ["ran"], "{what}");
    let now = world.load_task(task).await;
    assert_eq!(now.state.as_str(), "review", "{what}: {:?}", now.annotation);
    let branch = now.workspace.unwrap().branch;
    assert_eq!(world.repository.git(&["show", &format!("{branch}:work.txt")]).await, "work");
}

const RUNS_ONCE: &str = "echo ran >> \"$HOME/ran\"; echo work > work.txt";

#[tokio::test]
async fn issue_13_04_a_run_that_ended_is_not_run_again_wherever_its_servers_die() {
    for point in ENDS {
        let mut world =
            EngineFixture::with(FaultSweep::injecting_at(point, FaultAction::Die), None).await;
        let project = world.board_project().await;
        let task = world
            .claimed_task(project, EngineFixture::task_request("Work"), "coder", RUNS_ONCE)
            .await;
        settle_or_die(&world).await;
        // The next server dies at the same point, before the same record.
        world.restart_with(FaultSweep::injecting_at(point, FaultAction::Die)).await;
        assert_eq!(
            found(&world),
            RecoveredExecutions { finished: 1, ..RecoveredExecutions::default() },
            "{point}"
        );
        settle_or_die(&world).await;
        world.restart().await;
        world.settle().await.unwrap();
        assert_ran_once(&world, task, point).await;
    }
}

#[tokio::test]
async fn issue_13_04_a_run_whose_result_could_not_be_stored_at_first_is_not_run_again() {
    for point in ENDS {
        let world =
            EngineFixture::with(FaultSweep::injecting_at(point, FaultAction::Fail), None).await;
        let project = world.board_project().await;
        let task = world
            .claimed_task(project, EngineFixture::task_request("Work"), "coder", RUNS_ONCE)
            .await;
        world.settle().await.unwrap();
        assert_ran_once(&world, task, point).await;
    }
}
