//! Two nodes on one database, and an agent that goes on while its own node begins anew (D-3, P-5, E-12).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::Snapshot;
use forge_domain::{Ending, TaskId};
use forge_engine::{
    Engine, Environment, Faults, Git, Home, Ids, Limits, OnRestart, Parts, TrainView,
};
use forge_store::tables;
use forge_testkit::database::TestDatabase;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::repository::search_path;
use forge_testkit::world::World;
use nix::sys::stat::Mode;
use std::sync::Arc;
use tokio::task::JoinHandle;
use uuid::Uuid;

/// Comes up, waits to be told, and goes on.
const WORKS: &str = "echo x >> \"$HOME/begun\"; echo > \"$HOME/up\"; read word < \"$HOME/go\"; echo whole > whole.txt";

fn limits() -> Limits {
    Limits { on_restart: OnRestart::Adopt, ..World::limits() }
}

async fn world(database: &TestDatabase) -> World {
    let database = Some(database.url().clone());
    let world = World::with_limits(FaultSweep::counting(), database, limits()).await;
    for name in ["up", "go"] {
        nix::unistd::mkfifo(&world.home().join(name), Mode::S_IRWXU).unwrap();
    }
    world
}

/// A node with a data directory and workspaces of its own.
async fn neighbour(world: &World, database: &TestDatabase) -> Engine {
    let home = world.home().join("neighbour");
    let vars = [("PATH".into(), search_path()), ("HOME".into(), world.home().into())];
    let parts = Parts {
        home: Home::open(&home, || Uuid::from_u128(2)).unwrap(),
        database: Some(database.url().clone()),
        workspace_root: None,
        git: Git::locate(&search_path()).unwrap(),
        clock: world.clock.clone(),
        ids: Ids::Random,
        faults: Faults::none(),
        environment: Environment::from_vars(vars),
        limits: limits(),
    };
    Engine::start(parts).await.unwrap()
}

fn carrying_out(engine: &Engine) -> JoinHandle<()> {
    let engine = engine.clone();
    // It ends with its engine, one way or the other.
    tokio::spawn(async move { engine.drain().await.unwrap_or_default() })
}

async fn at_work(world: &World) -> TaskId {
    let project = world.board().await;
    let task = world.claimed(project, World::titled("Work"), "coder", WORKS).await;
    carrying_out(world.engine());
    tokio::fs::read(world.home().join("up")).await.unwrap();
    let running = |task: &Snapshot| task.run.is_some() && !task.is_settling();
    world.engine().reached(task, running).await.unwrap();
    task
}

async fn endings(engine: &Engine, task: TaskId) -> Vec<Option<Ending>> {
    let runs = tables::executions::list_of_task(engine.db(), task).await.unwrap();
    runs.iter().map(|run| run.outcome.as_ref().map(|result| result.ending)).collect()
}

forge_testkit::both_databases! {
    async fn p_5_a_turn_stays_with_the_node_that_begins_anew(database: Arc<TestDatabase>) {
        let mut world = world(&database).await;
        let other = neighbour(&world, &database).await;
        let task = at_work(&world).await;
        world.stop().await;
        other.drain().await.unwrap();
        assert_eq!(endings(&other, task).await, [None], "its lease stands while it is away");
        // The start has given back what its last life held, and has not yet taken it up again.
        world.restart().await;
        other.drain().await.unwrap();
        assert_eq!(endings(&other, task).await, [None], "nobody else takes it meanwhile");

        let draining = carrying_out(world.engine());
        tokio::fs::write(world.home().join("go"), "go\n").await.unwrap();
        draining.await.unwrap();
        assert_eq!(endings(&other, task).await, [Some(Ending::Exited { code: 0 })]);
        assert_eq!(world.lines("begun"), ["x"], "one agent, from its beginning to its end");
        other.die().await;
    }

    /// The line is the memory of the node that runs it; who rides is on record.
    async fn m_13_the_other_node_shows_who_rides_and_which_node_runs_it(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let other = neighbour(&world, &database).await;
        let settings = serde_json::json!({
            "merge": { "train": true },
            "default_review_config": { "ci_steps": ["echo > \"$HOME/up\"; read word < \"$HOME/go\""] },
        });
        let workflow = World::workflow("no-review");
        let project = world.project_with("Board", workflow, settings).await.unwrap();
        let task = world.claimed(project, World::titled("Ride"), "coder", "echo x > x").await;
        let draining = carrying_out(world.engine());
        tokio::fs::read(world.home().join("up")).await.unwrap();

        let here = world.engine().trains_of(project).await.unwrap();
        let riders = |view: &TrainView| view.cars.iter().map(|car| car.task).collect::<Vec<_>>();
        assert_eq!((here.len(), &here[0].node, riders(&here[0])), (1, &None, vec![task]));
        assert!(here[0].window.is_some() && here[0].cars[0].standing.is_some());
        let there = other.trains_of(project).await.unwrap();
        let node = Uuid::from_u128(1).to_string();
        assert_eq!((there.len(), &there[0].node, riders(&there[0])), (1, &Some(node), vec![task]));
        assert_eq!((there[0].target.as_str(), there[0].window), ("main", None));

        tokio::fs::write(world.home().join("go"), "go\n").await.unwrap();
        draining.await.unwrap();
        assert!(other.trains_of(project).await.unwrap().is_empty());
        assert_eq!(world.now(task).await.state.as_str(), "done");
        other.die().await;
    }
}
