//! Setup of a plain directory (W-1, W-13): as in a worktree, except for what needs git.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::{ProjectId, TaskId, WorkspaceType};
use forge_engine::{EngineLimits, ProjectSpec};
use forge_store::tables;
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use serde_json::{Value, json};
use std::sync::Arc;

const SEEN: &str = "echo \"$1 $NAME $FORGE_PORT_0\" >> $HOME/seen";

/// A project that works in `notes`, beside the repository.
async fn project(world: &EngineFixture, setup: Value) -> ProjectId {
    let asked = ProjectSpec {
        name: "Plain".to_owned(),
        workspace_type: WorkspaceType::PersistentDirectory,
        workflow: EngineFixture::workflow("default"),
        settings: EngineFixture::settings(settings(world, setup)),
    };
    world.engine().projects().create_project(EngineFixture::acting_user(), asked).await.unwrap().id
}

fn settings(world: &EngineFixture, setup: Value) -> Value {
    json!({ "directory": world.home().join("notes"), "setup": setup })
}

async fn worked(
    world: &EngineFixture,
    project: ProjectId,
    title: &str,
    script: &str,
) -> TaskSnapshot {
    let task =
        world.claimed_task(project, EngineFixture::task_request(title), "coder", script).await;
    world.settle().await.unwrap();
    world.load_task(task).await
}

async fn again(world: &EngineFixture, task: TaskId) -> TaskSnapshot {
    world.move_to(task, "todo").await;
    world.claim_again(task, "coder").await
}

/// A shell line that records who runs, and with which variables.
fn says(who: &str) -> String {
    format!("set -- {who}; {SEEN}")
}

async fn port(world: &EngineFixture, task: TaskId) -> String {
    let ports = tables::ports::of_task(world.engine().db(), task).await.unwrap();
    ports.iter().map(|lease| lease.port.to_string()).collect()
}

both_databases! {
    /// W-13: the setup runs in the directory before the agent; setup, agent and checks get the variables and the ports,
    /// which are released when the task has landed.
    async fn w_13_a_plain_directory_is_set_up_before_the_agent_and_all_get_env_and_ports(database: Arc<TestDatabase>) {
        let world = EngineFixture::with(FaultSweep::counting(), Some(database.url().clone())).await;
        let commands = [says("setup"), "pwd; touch prepared".to_owned()];
        let setup = json!({ "commands": commands, "env": { "NAME": "v a l" }, "ports": 1 });
        let project = project(&world, setup).await;
        let asked = EngineFixture::checked_task_request("Work", &[&says("check")]);
        let script = format!("test -f prepared; {}", says("agent"));
        let task = world.claimed_task(project, asked, "coder", &script).await;
        world.settle().await.unwrap();
        assert_eq!(world.load_task(task).await.state.as_str(), "review");
        let port = port(&world, task).await;
        assert!(!port.is_empty());
        let all = ["setup", "agent", "check"].map(|who| format!("{who} v a l {port}"));
        assert_eq!(world.lines("seen"), all);
        let log = world.setup_log(task);
        assert!(log.contains("$ pwd; touch prepared") && log.contains("/notes\n"), "{log}");
        assert_eq!(world.land_task(task).await.state.as_str(), "done");
        assert_eq!(tables::ports::all(world.engine().db()).await.unwrap(), [0u16; 0]);
    }

    /// W-13: a failed setup parks the task before its agent starts, and runs again after it is fixed.
    async fn w_13_a_failed_setup_of_a_plain_directory_stops_the_task_before_the_agent(database: Arc<TestDatabase>) {
        let world = EngineFixture::with(FaultSweep::counting(), Some(database.url().clone())).await;
        let setup = json!({
            "commands": ["echo \"it broke: $TOKEN\"; exit 3", "touch $HOME/second"],
            "env": { "TOKEN": "hunter22" },
        });
        let project = project(&world, setup).await;
        let parked = worked(&world, project, "Work", "touch $HOME/agent").await;
        assert_eq!(parked.state.as_str(), "blocked");
        let trouble = parked.annotation.unwrap();
        assert_eq!(trouble.kind, AnnotationType::SetupFailed);
        assert_eq!((&trouble.details["exit_code"], &trouble.details["output_tail"]), (&json!(3), &json!("it broke: ***\n")));
        assert!(!world.home().join("agent").exists() && !world.home().join("second").exists());
        assert!(parked.run.is_none() && parked.workspace.is_some());
        world.change_settings(project, settings(&world, json!({ "commands": ["true"] }))).await;
        assert_eq!(again(&world, parked.id).await.state.as_str(), "review");
        assert!(world.home().join("agent").exists());
    }

    /// W-13: without a free port the task is refused before its agent starts, and continues once another task is done.
    async fn w_13_an_exhausted_port_range_is_reported_and_a_finished_task_frees_it(database: Arc<TestDatabase>) {
        for plain in [false, true] {
            Box::pin(exhausted(&database, plain)).await;
        }
    }
}

/// A range of one free port. No process listens on it, so only the lease can take it.
async fn exhausted(database: &TestDatabase, plain: bool) {
    let only = {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
        listener.local_addr().unwrap().port()
    };
    let limits = EngineLimits { ports: only..=only, ..EngineFixture::limits() };
    let url = Some(database.url().clone());
    let world = EngineFixture::with_limits(FaultSweep::counting(), url, limits).await;
    let setup = json!({ "ports": 1 });
    let project = if plain {
        project(&world, setup).await
    } else {
        let settings = json!({ "setup": setup });
        world.project_with("Board", EngineFixture::workflow("default"), settings).await.unwrap()
    };
    let script = "echo \"$FORGE_PORT_0\" >> $HOME/ports; echo x > $FORGE_TASK_ID";
    let first = worked(&world, project, "First", script).await;
    assert_eq!(first.state.as_str(), "review", "{:?}", first.annotation);
    let second = worked(&world, project, "Second", script).await;
    assert_eq!(second.state.as_str(), "blocked");
    let trouble = second.annotation.unwrap();
    assert_eq!(trouble.kind, AnnotationType::SetupFailed);
    assert!(trouble.message.contains("FORGE_PORT_RANGE"), "{}", trouble.message);
    assert!(trouble.message.contains("finish other tasks"), "{}", trouble.message);
    assert_eq!(world.lines("ports"), [only.to_string()], "no agent starts without its port");
    assert_eq!(world.land_task(first.id).await.state.as_str(), "done");
    let mended = again(&world, second.id).await;
    assert_eq!((mended.state.as_str(), mended.annotation), ("review", None));
    assert_eq!(world.lines("ports"), [only.to_string(), only.to_string()]);
    assert_eq!(world.land_task(second.id).await.state.as_str(), "done");
}

#[tokio::test]
async fn w_13_a_plain_directory_is_set_up_once_for_all_tasks_until_setup_or_directory_change() {
    let world = EngineFixture::new().await;
    let setup = |word: &str| json!({ "commands": [format!("echo {word} >> $HOME/seen")] });
    let project = project(&world, setup("one")).await;
    let first = worked(&world, project, "First", "").await;
    let second = worked(&world, project, "Second", "").await;
    again(&world, first.id).await;
    assert_eq!(world.lines("seen"), ["one"]);
    let steps = tables::effects::list_of_task(world.engine().db(), second.id).await.unwrap();
    assert!(steps.iter().all(|step| step.effect.name() != "set_up_workspace"));
    world.change_settings(project, settings(&world, setup("two"))).await;
    again(&world, first.id).await;
    again(&world, second.id).await;
    assert_eq!(world.lines("seen"), ["one", "two"]);
    // The new directory is created while the old one exists, so that their inodes differ on every filesystem.
    let notes = world.home().join("notes");
    std::fs::rename(&notes, world.home().join("away")).unwrap();
    again(&world, first.id).await;
    assert_eq!(world.lines("seen"), ["one", "two", "two"]);
    assert!(notes.exists());
}

#[tokio::test]
async fn w_13_a_plain_directory_is_set_up_again_for_a_task_with_other_ports_before_its_execution() {
    let world = EngineFixture::new().await;
    let setup = json!({ "commands": ["echo $FORGE_PORT_0 > port"], "ports": 1 });
    let project = project(&world, setup).await;
    // All tasks are claimed before any is worked on, so that setups and executions of different tasks alternate.
    let script = "test \"$(cat port)\" = $FORGE_PORT_0; echo $FORGE_PORT_0 >> $HOME/turns";
    let mut tasks = Vec::new();
    for n in 0..4 {
        let title = format!("Task {n}");
        tasks.push(
            world.claimed_task(project, EngineFixture::task_request(&title), "coder", script).await,
        );
    }
    world.settle().await.unwrap();
    for task in tasks {
        let task = world.load_task(task).await;
        assert_eq!(task.state.as_str(), "review", "{:?}", task.annotation);
    }
    let mut turns = world.lines("turns");
    turns.sort();
    turns.dedup();
    assert_eq!(turns.len(), 4, "each task has its own port: {turns:?}");
}

#[tokio::test]
async fn w_13_cancelling_a_task_ends_the_setup_of_its_plain_directory() {
    let world = EngineFixture::new().await;
    let setup = json!({ "commands": ["echo > $HOME/up; (trap '' TERM; sleep 1000) & sleep 1000"] });
    let project = project(&world, setup).await;
    let task = world
        .claimed_task(project, EngineFixture::task_request("Work"), "coder", "touch $HOME/agent")
        .await;
    let task = world.cancel_once_running(task).await;
    assert_eq!(task.state.as_str(), "cancelled");
    assert!(task.annotation.is_none() && task.run.is_none(), "it is over, and nothing failed");
    assert!(!world.home().join("agent").exists());
    assert_eq!(world.end_state(project).await.processes, [0; 0]);
}
