//! A project's setup of its workspaces (W-13): what it gets, when it runs, and what it cannot do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::AnnotationType;
use forge_domain::{ProjectId, TaskId};
use forge_engine::{EngineError, EngineLimits, ProjectChange};
use forge_store::tables;
use forge_testkit::both_databases;
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use serde_json::{Value, json};
use std::net::TcpListener;
use std::sync::Arc;

async fn project(world: &EngineFixture, setup: Value) -> ProjectId {
    let settings = json!({ "setup": setup });
    world.project_with("Board", EngineFixture::workflow("default"), settings).await.unwrap()
}

/// A task of a project with this setup, claimed by an agent with this script, as far as it gets.
async fn claimed(world: &EngineFixture, setup: Value, script: &str) -> (ProjectId, TaskId) {
    let project = project(world, setup).await;
    let task =
        world.claimed_task(project, EngineFixture::task_request("Work"), "coder", script).await;
    world.settle().await.unwrap();
    (project, task)
}

/// Parks the task, queues it again, and has it claimed again.
async fn claim_again(world: &EngineFixture, task: TaskId) {
    if world.load_task(task).await.state.as_str() == "review" {
        world.move_between(task, "review", "blocked").await.unwrap();
    }
    world.move_between(task, "blocked", "todo").await.unwrap();
    world.claim_again(task, "coder").await;
}

async fn change(world: &EngineFixture, project: ProjectId, setup: Value) {
    world.change_settings(project, json!({ "setup": setup })).await;
}

#[tokio::test]
async fn w_13_setup_runs_once_before_the_agent_and_agents_and_checks_get_its_environment() {
    let world = EngineFixture::new().await;
    let setup = json!({
        "commands": ["echo \"setup $NAME $FORGE_PORT_0 $FORGE_PORT_1\" | tee -a $HOME/seen", "test -f README.md"],
        "env": { "NAME": "v a l" },
        "ports": 2,
    });
    let project = project(&world, setup).await;
    let check = "echo \"check $NAME $FORGE_PORT_0 $FORGE_PORT_1\" >> $HOME/seen";
    let task =
        world.task(project, EngineFixture::checked_task_request("Work", &[check])).await.unwrap();
    let script = "echo \"agent $NAME $FORGE_PORT_0 $FORGE_PORT_1\" >> $HOME/seen; echo x >> x";
    let agent = world.agent("coder", script).await.unwrap();
    world.claim(task, agent).await.unwrap();
    world.settle().await.unwrap();
    assert_eq!(world.load_task(task).await.state.as_str(), "review");
    let ports = tables::ports::of_task(world.engine().db(), task).await.unwrap();
    let expected = format!("v a l {} {}", ports[0].port, ports[1].port);
    let all = ["setup", "agent", "check"].map(|who| format!("{who} {expected}"));
    assert_eq!(world.lines("seen"), all);
    let log = world.setup_log(task);
    assert!(log.contains("$ test -f README.md") && log.contains("setup v a l"), "{log}");
    claim_again(&world, task).await;
    let again = world.lines("seen");
    assert_eq!(again.iter().filter(|line| line.starts_with("setup")).count(), 1, "{again:?}");
    assert_eq!(again.len(), 5, "the second turn has the same ports: {again:?}");
    assert_eq!(again[3..], all[1..]);
}

#[tokio::test]
async fn w_13_a_changed_setup_runs_again() {
    let world = EngineFixture::new().await;
    let once = |word: &str| json!({ "commands": [format!("echo {word} >> $HOME/seen")] });
    let (project, task) = claimed(&world, once("one"), "").await;
    change(&world, project, once("two")).await;
    claim_again(&world, task).await;
    claim_again(&world, task).await;
    assert_eq!(world.lines("seen"), ["one", "two"]);
}

#[tokio::test]
async fn w_13_a_failed_setup_stops_the_task_before_the_agent_starts() {
    let world = EngineFixture::new().await;
    let setup = json!({
        "commands": ["echo first", "echo \"it broke: $TOKEN\"; exit 3", "touch $HOME/third"],
        "env": { "TOKEN": "hunter22" },
    });
    let (project, task) = claimed(&world, setup, "touch $HOME/agent").await;
    let parked = world.load_task(task).await;
    assert_eq!(parked.state.as_str(), "blocked");
    let trouble = parked.annotation.clone().unwrap();
    assert_eq!(trouble.kind, AnnotationType::SetupFailed);
    assert!(trouble.message.contains("code 3"), "{}", trouble.message);
    assert_eq!(trouble.details["exit_code"], 3);
    assert_eq!(trouble.details["output_tail"], "it broke: ***\n", "no secret is written down");
    assert!(!world.home().join("agent").exists() && !world.home().join("third").exists());
    assert!(parked.run.is_none() && parked.workspace.is_some(), "the workspace is known");
    let events = tables::events::of_task(world.engine().db(), task).await.unwrap();
    assert!(!format!("{events:?}").contains("hunter22"), "nor in an event");
    change(&world, project, json!({ "commands": ["true"] })).await;
    claim_again(&world, task).await;
    assert_eq!(world.load_task(task).await.state.as_str(), "review", "the same workspace goes on");
    assert!(world.home().join("agent").exists());
}

#[tokio::test]
async fn w_13_a_setup_that_failed_runs_again_at_the_next_claim() {
    let world = EngineFixture::new().await;
    let setup = json!({ "commands": ["echo x >> $HOME/seen; test -f $HOME/mended"] });
    let (_, task) = claimed(&world, setup, "").await;
    std::fs::write(world.home().join("mended"), "").unwrap();
    claim_again(&world, task).await;
    assert_eq!(world.load_task(task).await.state.as_str(), "review");
    assert_eq!(world.lines("seen"), ["x", "x"]);
}

#[tokio::test]
async fn w_13_a_setup_that_hangs_is_ended_by_its_timeout() {
    let world = EngineFixture::new().await;
    let setup = json!({ "commands": ["echo here; sleep 1000"], "timeout_seconds": 1 });
    let (project, task) = claimed(&world, setup, "touch $HOME/agent").await;
    let trouble = world.load_task(task).await.annotation.unwrap();
    assert_eq!(trouble.kind, AnnotationType::SetupFailed);
    assert_eq!(
        (&trouble.details["timed_out"], &trouble.details["output_tail"]),
        (&json!(true), &json!("here\n"))
    );
    assert!(!world.home().join("agent").exists());
    assert_eq!(world.end_state(project).await.processes, [0; 0]);
}

#[tokio::test]
async fn w_13_cancelling_the_task_ends_the_setups_process_tree() {
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

#[tokio::test]
async fn w_13_processes_of_a_setup_are_ended_before_the_agent_starts() {
    let world = EngineFixture::new().await;
    let daemon =
        "setsid sh -c 'echo $$ > $HOME/pid; echo > $HOME/up; exec sleep 1000' < /dev/null &";
    let setup = json!({ "commands": [format!("mkfifo $HOME/up; {daemon} read line < $HOME/up")] });
    // Without a process that reaps orphans, an ended one stays in the table as a zombie.
    let script = "case \"$(cut -d ' ' -f 3 /proc/$(cat $HOME/pid)/stat || true)\" in ''|Z) echo gone;; *) echo alive;; esac > $HOME/daemon";
    let (project, task) = claimed(&world, setup, script).await;
    assert_eq!(world.load_task(task).await.state.as_str(), "review");
    assert_eq!(world.lines("daemon"), ["gone"]);
    assert_eq!(world.end_state(project).await.processes, [0; 0]);
}

#[tokio::test]
async fn w_13_a_setup_that_floods_its_log_is_not_held_up_and_the_log_is_cut() {
    let world = EngineFixture::new().await;
    let setup = json!({ "commands": ["yes | head -c 70000000; echo the end", "echo second"] });
    let (_, task) = claimed(&world, setup, "touch $HOME/agent").await;
    assert!(world.home().join("agent").exists());
    let size = std::fs::metadata(world.engine().home().log(task.uuid())).unwrap().len();
    assert!(size < (64 << 20) + (1 << 20), "{size}");
}

#[tokio::test]
async fn w_13_changes_of_a_setup_to_tracked_files_are_kept() {
    let world = EngineFixture::new().await;
    let setup = json!({ "commands": ["echo from setup >> README.md"] });
    let (_, task) = claimed(&world, setup, "echo from agent >> README.md").await;
    let branch = world.load_task(task).await.workspace.unwrap().branch;
    let text = world.repository.git(&["show", &format!("{branch}:README.md")]).await;
    assert_eq!(text, "hello\nfrom setup\nfrom agent");
    assert_eq!(world.repository.git(&["status", "--porcelain"]).await, "");
}

#[tokio::test]
async fn w_13_ignored_files_are_copied_and_logged() {
    let world = EngineFixture::new().await;
    world.repository.write(".gitignore", ".env\nlink\n");
    world.repository.write(".worktreeinclude", ".env\nlink\n../secret\n/etc/passwd\n");
    world.repository.commit("a list").await;
    world.repository.write(".env", "KEY=1\n");
    std::os::unix::fs::symlink("/etc/passwd", world.repository.path().join("link")).unwrap();
    let (_, task) = claimed(&world, json!({}), "cat .env > $HOME/env; test ! -e link").await;
    assert_eq!(world.load_task(task).await.state.as_str(), "review");
    assert_eq!(world.lines("env"), ["KEY=1"]);
    let log = world.setup_log(task);
    assert!(log.contains("1 files") && log.contains("left out: link: "), "{log}");
}

#[tokio::test]
async fn w_13_an_invalid_include_list_stops_the_task() {
    let world = EngineFixture::new().await;
    std::os::unix::fs::symlink("README.md", world.repository.path().join(".worktreeinclude"))
        .unwrap();
    let (_, task) = claimed(&world, json!({}), "touch $HOME/agent").await;
    let trouble = world.load_task(task).await.annotation.unwrap();
    assert_eq!(trouble.kind, AnnotationType::SetupFailed);
    assert!(trouble.message.contains(".worktreeinclude"), "{}", trouble.message);
    assert!(!world.home().join("agent").exists());
}

#[tokio::test]
async fn w_13_a_project_without_setup_has_no_setup_effect() {
    let world = EngineFixture::new().await;
    let (_, task) = claimed(&world, json!({ "env": { "A": "b" } }), "test \"$A\" = b").await;
    assert_eq!(world.load_task(task).await.state.as_str(), "review");
    let steps = tables::effects::list_of_task(world.engine().db(), task).await.unwrap();
    assert!(steps.iter().all(|step| step.effect.name() != "set_up_workspace"));
}

#[tokio::test]
async fn w_13_an_invalid_setup_is_not_saved() {
    let world = EngineFixture::new().await;
    let settings = json!({ "setup": { "env": { "GIT_DIR": "x" } } });
    let refused = world.project_with("Board", EngineFixture::workflow("default"), settings).await;
    let Err(EngineError::InvalidSettings(invalid)) = refused else { panic!("{refused:?}") };
    assert_eq!(invalid.problems()[0].path, "settings.setup.env");
    let project = project(&world, json!({})).await;
    let version = world.engine().records().project(project).await.unwrap().version;
    let settings = Some(EngineFixture::settings(json!({ "setup": { "commands": [""] } })));
    let patch = ProjectChange { version, name: None, settings };
    let refused = world
        .engine()
        .projects()
        .update_project(EngineFixture::acting_user(), project, patch)
        .await;
    let Err(EngineError::InvalidSettings(invalid)) = refused else { panic!("{refused:?}") };
    assert_eq!(invalid.problems()[0].path, "settings.setup.commands");
}

both_databases! {
    /// W-13: ports are unique across tasks, skip those of other processes, survive a restart, and are released with the
    /// workspace.
    async fn w_13_ports_are_leased_until_the_workspace_is_gone(database: Arc<TestDatabase>) {
        // The first port of the range stays in use during the test.
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let used = listener.local_addr().unwrap().port();
        let ports = used..=used + 999;
        let limits = EngineLimits { ports: ports.clone(), ..EngineFixture::limits() };
        let url = Some(database.url().clone());
        let mut world = EngineFixture::with_limits(FaultSweep::counting(), url, limits).await;
        let project = project(&world, json!({ "ports": 3 })).await;
        let agent = world.agent("coder", "echo $FORGE_PORT_2 >> $HOME/third; echo x > $FORGE_TASK_ID").await.unwrap();
        let mut tasks = Vec::new();
        for n in 0..4 {
            let task = world.task(project, EngineFixture::checked_task_request(&format!("Work {n}"), &[])).await.unwrap();
            world.claim(task, agent).await.unwrap();
            tasks.push(task);
        }
        world.settle().await.unwrap();
        let held = tables::ports::all(world.engine().db()).await.unwrap();
        assert_eq!(held.len(), 12, "each its own: {held:?}");
        assert!(held.iter().all(|port| ports.contains(port) && *port != used), "{held:?}");
        let before = tables::ports::of_task(world.engine().db(), tasks[0]).await.unwrap();
        world.restart().await;
        claim_again(&world, tasks[0]).await;
        assert_eq!(tables::ports::of_task(world.engine().db(), tasks[0]).await.unwrap(), before);
        let third = before[2].port.to_string();
        assert_eq!(world.lines("third").iter().filter(|port| **port == third).count(), 2);
        assert_eq!(world.land_task(tasks[0]).await.state.as_str(), "done");
        let left = tables::ports::all(world.engine().db()).await.unwrap();
        assert_eq!(left.len(), 9);
        change(&world, project, json!({ "ports": 1 })).await;
        claim_again(&world, tasks[1]).await;
        assert_eq!(tables::ports::of_task(world.engine().db(), tasks[1]).await.unwrap().len(), 1);
    }
}
