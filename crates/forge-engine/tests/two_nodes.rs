//! Two nodes on one database, and an agent that continues while its own node restarts (D-3, P-5, E-12).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::TaskSnapshot;
use forge_domain::{ExecutionEnding, TaskId};
use forge_engine::{
    DataDirectory, Engine, EngineLimits, EngineParts, FaultPoints, GitProgram, IdSource,
    MergeTrainView, RestartPolicy, ServerEnvironment,
};
use forge_store::tables;
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::test_repository::search_path;
use nix::sys::stat::Mode;
use std::sync::Arc;
use tokio::task::JoinHandle;
use uuid::Uuid;

/// Starts, waits for a word on a pipe, and continues.
const WORKS: &str = "echo x >> \"$HOME/begun\"; echo > \"$HOME/up\"; read word < \"$HOME/go\"; echo whole > whole.txt";

fn limits() -> EngineLimits {
    EngineLimits { restart_policy: RestartPolicy::Adopt, ..EngineFixture::limits() }
}

async fn world(database: &TestDatabase) -> EngineFixture {
    let database = Some(database.url().clone());
    let world = EngineFixture::with_limits(FaultSweep::counting(), database, limits()).await;
    for name in ["up", "go"] {
        nix::unistd::mkfifo(&world.home().join(name), Mode::S_IRWXU).unwrap();
    }
    world
}

/// A node with its own data directory and workspaces.
async fn neighbour(world: &EngineFixture, database: &TestDatabase) -> Engine {
    let home = world.home().join("neighbour");
    let vars = [("PATH".into(), search_path()), ("HOME".into(), world.home().into())];
    let parts = EngineParts {
        home: DataDirectory::open(&home, || Uuid::from_u128(2)).unwrap(),
        database: Some(database.url().clone()),
        workspace_root: None,
        git: GitProgram::locate(&search_path()).unwrap(),
        clock: world.clock.clone(),
        ids: IdSource::Random,
        faults: FaultPoints::none(),
        environment: ServerEnvironment::from_vars(vars),
        limits: limits(),
    };
    Engine::start(parts).await.unwrap()
}

fn carrying_out(engine: &Engine) -> JoinHandle<()> {
    let engine = engine.clone();
    // The task ends with its engine.
    tokio::spawn(async move { engine.drain().await.unwrap_or_default() })
}

async fn at_work(world: &EngineFixture) -> TaskId {
    let project = world.board_project().await;
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", WORKS).await;
    carrying_out(world.engine());
    tokio::fs::read(world.home().join("up")).await.unwrap();
    let running = |task: &TaskSnapshot| task.run.is_some() && !task.is_settling();
    world.engine().progress().wait_until(task, running).await.unwrap();
    task
}

async fn endings(engine: &Engine, task: TaskId) -> Vec<Option<ExecutionEnding>> {
    let runs = tables::executions::list_of_task(engine.db(), task).await.unwrap();
    runs.iter().map(|run| run.outcome.as_ref().map(|result| result.ending)).collect()
}

forge_testkit::both_databases! {
    async fn p_5_an_execution_stays_with_its_restarting_node(database: Arc<TestDatabase>) {
        let mut world = world(&database).await;
        let other = neighbour(&world, &database).await;
        let task = at_work(&world).await;
        world.stop().await;
        other.drain().await.unwrap();
        assert_eq!(endings(&other, task).await, [None], "its lease stands while it is away");
        // The start has released what its last run held, and has not yet leased it again.
        world.restart().await;
        other.drain().await.unwrap();
        assert_eq!(endings(&other, task).await, [None], "no other node takes it meanwhile");

        let draining = carrying_out(world.engine());
        tokio::fs::write(world.home().join("go"), "go\n").await.unwrap();
        draining.await.unwrap();
        assert_eq!(endings(&other, task).await, [Some(ExecutionEnding::Exited { code: 0 })]);
        assert_eq!(world.lines("begun"), ["x"], "one agent, from its beginning to its end");
        other.die().await;
    }

    /// The plan of a train is in the memory of the node that runs it; its entries are recorded.
    async fn m_13_the_other_node_shows_the_entries_and_the_node_that_runs_the_train(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let other = neighbour(&world, &database).await;
        let settings = serde_json::json!({
            "merge": { "train": true },
            "default_review_config": { "ci_steps": ["echo > \"$HOME/up\"; read word < \"$HOME/go\""] },
        });
        let workflow = EngineFixture::workflow("no-review");
        let project = world.project_with("Board", workflow, settings).await.unwrap();
        let task = world.claimed_task(project, EngineFixture::task_request("Land"), "coder", "echo x > x").await;
        let draining = carrying_out(world.engine());
        tokio::fs::read(world.home().join("up")).await.unwrap();

        let here = world.engine().trains().trains_of(project).await.unwrap();
        let tasks = |view: &MergeTrainView| view.entries.iter().map(|entry| entry.task).collect::<Vec<_>>();
        assert_eq!((here.len(), &here[0].node, tasks(&here[0])), (1, &None, vec![task]));
        assert!(here[0].window.is_some() && here[0].entries[0].trial_state.is_some());
        let there = other.trains().trains_of(project).await.unwrap();
        let node = Uuid::from_u128(1).to_string();
        assert_eq!((there.len(), &there[0].node, tasks(&there[0])), (1, &Some(node), vec![task]));
        assert_eq!((there[0].target.as_str(), there[0].window), ("main", None));

        tokio::fs::write(world.home().join("go"), "go\n").await.unwrap();
        draining.await.unwrap();
        assert!(other.trains().trains_of(project).await.unwrap().is_empty());
        assert_eq!(world.load_task(task).await.state.as_str(), "done");
        other.die().await;
    }
}
