//! A node stopped beyond its lease, another that takes over, and late reports of the first (T-7, D-1): none of them
//! counts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(
    clippy::disallowed_methods,
    reason = "the node that stands still is this program, started again by itself"
)]

use forge_domain::task::TaskSnapshot;
use forge_domain::{ExecutionEnding, TaskId};
use forge_engine::{
    DataDirectory, Engine, EngineError, EngineLimits, EngineParts, FaultPoints, GitProgram,
    IdSource, PoolLimits, ServerEnvironment, SystemClock,
};
use forge_store::tables::{self, effects::EffectRow};
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use nix::sys::signal::{Signal, kill};
use nix::sys::stat::Mode;
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// One day, so that no heartbeat is written in the middle of the test.
const LEASE_SECONDS: u64 = 86_400;

/// The first agent starts and hangs; the next one does the work.
const SCRIPT: &str = "if mkdir \"$HOME/first\"; then echo > \"$HOME/up\"; exec tail -f /dev/null; fi; \
                      echo whole > whole.txt";

/// Another node, in its own process.
struct Node(Child);

impl Node {
    async fn start(world: &EngineFixture, database: &TestDatabase, task: TaskId) -> Self {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "t_7_a_node_of_its_own", "--nocapture"])
            .env("FORGE_TEST_NODE", world.home().join("node"))
            .env("FORGE_TEST_NODE_ROOT", world.workspaces())
            .env("FORGE_TEST_NODE_DATABASE", database.address().await)
            .env("FORGE_TEST_NODE_TASK", task.to_string())
            .env("HOME", world.home())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn();
        Self(child.unwrap())
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(i32::try_from(self.0.id()).unwrap())
    }

    /// Returns once the process is stopped.
    fn halt(&self) {
        kill(self.pid(), Signal::SIGSTOP).unwrap();
        let stopped = waitpid(self.pid(), Some(WaitPidFlag::WUNTRACED)).unwrap();
        assert!(matches!(stopped, WaitStatus::Stopped(..)), "{stopped:?}");
    }

    /// Continues the process, and returns when it has reported everything.
    fn go_on_to_the_end(mut self) {
        kill(self.pid(), Signal::SIGCONT).unwrap();
        drop(self.0.stdin.take());
        assert!(self.0.wait().unwrap().success());
    }
}

/// Does nothing by itself; started again by the tests it is the stopped node.
#[tokio::test]
async fn t_7_a_node_of_its_own() {
    let Some(data) = std::env::var_os("FORGE_TEST_NODE").map(PathBuf::from) else { return };
    let path = std::env::var_os("PATH").unwrap();
    let root = std::env::var_os("FORGE_TEST_NODE_ROOT").map(PathBuf::from);
    let address = std::env::var("FORGE_TEST_NODE_DATABASE").unwrap();
    let names = ["PATH", "HOME"].map(|name| (name.into(), std::env::var_os(name).unwrap()));
    let limits = EngineLimits {
        lease_seconds: LEASE_SECONDS,
        pool: PoolLimits::NONE,
        ..EngineLimits::default()
    };
    let engine = Engine::start(EngineParts {
        home: DataDirectory::open(&data, || Uuid::from_u128(2)).unwrap(),
        database: Some(address.parse().unwrap()),
        workspace_root: root,
        git: GitProgram::locate(&path).unwrap(),
        clock: Arc::new(SystemClock),
        ids: IdSource::Random,
        faults: FaultPoints::none(),
        environment: ServerEnvironment::from_vars(names),
        limits,
    });
    let engine = engine.await.unwrap();
    // Effects only: the radar and the scheduler of a whole server write at any time, and a process stopped in the
    // middle of a write keeps the database locked.
    let carrying_out = tokio::spawn({
        let engine = engine.clone();
        async move { engine.drain().await }
    });
    let task = std::env::var("FORGE_TEST_NODE_TASK").unwrap().parse().unwrap();
    let running = |task: &TaskSnapshot| task.run.is_some() && !task.is_settling();
    engine.progress().wait_until(task, running).await.unwrap();
    // From here on it writes nothing, so that it can be stopped without a lock on the database.
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap();
    tokio::fs::write(home.join("quiet"), "quiet").await.unwrap();
    let closed = || std::io::stdin().read_to_end(&mut Vec::new());
    tokio::task::spawn_blocking(closed).await.unwrap().unwrap();
    engine.shutdown().wait_for_agents().await;
    carrying_out.await.unwrap().unwrap();
    engine.shutdown().shut_down_within(Duration::from_secs(60)).await;
}

async fn steps(world: &EngineFixture, task: TaskId) -> Vec<EffectRow> {
    tables::effects::list_of_task(world.engine().db(), task).await.unwrap()
}

async fn history(world: &EngineFixture, task: TaskId) -> Vec<String> {
    let events = tables::events::of_task(world.engine().db(), task).await.unwrap();
    events.iter().map(|event| format!("{event:?}")).collect()
}

/// A task whose agent runs under a stopped node, and the effect that this node holds.
async fn halted(database: &TestDatabase) -> (EngineFixture, TaskId, Node, EffectRow) {
    let world = EngineFixture::with(FaultSweep::counting(), Some(database.url().clone())).await;
    for name in ["up", "quiet"] {
        nix::unistd::mkfifo(&world.home().join(name), Mode::S_IRWXU).unwrap();
    }
    let project = world.project("Board", EngineFixture::workflow("autopilot")).await.unwrap();
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", SCRIPT).await;
    let node = Node::start(&world, database, task).await;
    for name in ["up", "quiet"] {
        tokio::fs::read(world.home().join(name)).await.unwrap();
    }
    node.halt();
    let held = steps(&world, task).await.into_iter().find(|step| step.open).unwrap();
    assert_eq!(held.lease_node, Some(Uuid::from_u128(2).to_string()));
    (world, task, node, held)
}

async fn has_landed(world: &EngineFixture, task: TaskId) -> TaskSnapshot {
    world.settle().await.unwrap();
    let done = world.load_task(task).await;
    assert_eq!(done.state.as_str(), "done", "{:?}", done.annotation);
    let runs = tables::executions::list_of_task(world.engine().db(), task).await.unwrap();
    let endings: Vec<_> = runs.iter().map(|run| run.outcome.as_ref().unwrap().ending).collect();
    assert_eq!(endings, [ExecutionEnding::Lost, ExecutionEnding::Exited { code: 0 }]);
    done
}

forge_testkit::both_databases! {
    async fn t_7_another_node_takes_over_and_late_reports_of_the_first_change_nothing(database: Arc<TestDatabase>) {
        let (world, task, node, held) = halted(&database).await;
        world.engine().drain().await.unwrap();
        assert_eq!(steps(&world, task).await.last(), Some(&held), "no node leases it before the lease expires");
        world.clock.advance_to(held.lease_until.unwrap());
        let done = has_landed(&world, task).await;
        let (all, told) = (steps(&world, task).await, history(&world, task).await);
        let landed = world.repository.git(&["rev-parse", "main"]).await;

        node.go_on_to_the_end();
        assert_eq!(world.load_task(task).await, done);
        assert_eq!(history(&world, task).await, told);
        assert_eq!(steps(&world, task).await, all);
        assert_eq!(world.repository.git(&["rev-parse", "main"]).await, landed);
    }

    /// The effect is still open, leased by another node: only the fence tells which may write.
    async fn t_7_the_fence_refuses_a_node_while_another_is_at_it(database: Arc<TestDatabase>) {
        let (world, task, node, held) = halted(&database).await;
        let (now, until) = (held.lease_until.unwrap(), held.lease_until.unwrap().plus_seconds(60));
        let taken: Result<_, EngineError> = world.engine().db().write(move |tx| {
            Box::pin(async move {
                Ok(tables::effects::lease(tx, held.id, "a third node", now, until).await?)
            })
        }).await;
        let taken = taken.unwrap().expect("its time is over");
        let (before, told) = (world.load_task(task).await, history(&world, task).await);
        let process = tables::executions::list_open(world.engine().db()).await.unwrap()[0].process.clone();
        kill(Pid::from_raw(process.unwrap().pid), Signal::SIGKILL).unwrap();

        node.go_on_to_the_end();
        assert_eq!(steps(&world, task).await.last(), Some(&taken), "its note was refused");
        assert_eq!(world.load_task(task).await, before);
        assert_eq!(history(&world, task).await, told);
        world.clock.advance_to(until);
        has_landed(&world, task).await;
    }
}
