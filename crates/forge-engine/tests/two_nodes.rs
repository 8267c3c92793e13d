//! Two nodes on one database, and an agent that goes on while its own node begins anew (D-3, P-5, E-12).
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::Snapshot;
use forge_domain::{Ending, TaskId};
use forge_engine::{Engine, Environment, Faults, Git, Home, Ids, Limits, OnRestart, Parts};
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
}
