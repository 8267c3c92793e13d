//! Dispatch of tasks to agents (E-10, E-11), on both databases. The clock of these worlds stands still, so every round
//! is caused by a wake-up of the scheduler.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::dispatch::{DispatchBlocker, ResourceShortage};
use forge_domain::task::TaskSnapshot;
use forge_domain::workflow::{RoleName, StateName, TaskStanding};
use forge_domain::{
    Actor, AgentId, Assignee, ProjectId, Refusal, TaskCommand, TaskId, UserId, WorkspaceType,
};
use forge_engine::{
    AdmissionLimits, AgentSpec, EngineError, EngineLimits, ProjectChange, ProjectSpec, TaskSpec,
};
use forge_store::{StoreError, stmt, tables};
use forge_testkit::database::{TestDatabase, TestDatabaseEngine as Kind};
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

async fn world(database: &TestDatabase) -> EngineFixture {
    EngineFixture::with(FaultSweep::counting(), Some(database.url().clone())).await
}

fn served(max: Option<u32>) -> serde_json::Value {
    serde_json::json!({ "dispatch": { "enabled": true, "max_concurrent": max } })
}

async fn board(world: &EngineFixture, name: &str, max: Option<u32>) -> ProjectId {
    world.project_with(name, EngineFixture::workflow("no-review"), served(max)).await.unwrap()
}

async fn agent(world: &EngineFixture, name: &str, roles: &[&str], max_concurrent: i64) -> AgentId {
    let script = "echo done > $FORGE_TASK_ID";
    let asked = AgentSpec {
        name: name.to_owned(),
        executor: serde_json::json!({ "kind": "shell", "command": ["sh", "-ec", script] }),
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
        max_concurrent,
        ephemeral: false,
        fallback: None,
    };
    world.engine().agents().create_agent(EngineFixture::acting_user(), asked).await.unwrap().id
}

async fn queue(world: &EngineFixture, task: TaskId) {
    let now = world.engine().records().task(task).await.unwrap();
    let to = StateName::new("todo");
    let command = TaskCommand::Move { to, version: Some(now.version), reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), task, command).await.unwrap();
}

/// Creates a task in the queue.
async fn queued(world: &EngineFixture, project: ProjectId, asked: TaskSpec) -> TaskId {
    let task = world
        .engine()
        .commands()
        .create_task(EngineFixture::acting_user(), project, asked)
        .await
        .unwrap()
        .id;
    queue(world, task).await;
    task
}

fn titled(title: &str, priority: i32) -> TaskSpec {
    TaskSpec { title: title.to_owned(), priority, ..TaskSpec::default() }
}

async fn task(world: &EngineFixture, id: TaskId) -> TaskSnapshot {
    world.engine().records().task(id).await.unwrap()
}

async fn why(world: &EngineFixture, id: TaskId) -> Vec<DispatchBlocker> {
    world.engine().dispatch().explain_wait(id).await.unwrap().reasons
}

/// The agent that works on the task.
fn by(task: &TaskSnapshot) -> Option<AgentId> {
    task.run.as_ref().and_then(|run| run.assignee.agent())
}

forge_testkit::both_databases! {
    async fn e_10_the_most_urgent_and_then_the_oldest_go_to_free_agents(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, "Board", None).await;
        let ada = agent(&world, "ada", &["coder"], 2).await;
        agent(&world, "rex", &["reviewer"], 9).await;
        let mut tasks = Vec::new();
        for (title, priority) in [("old", 0), ("urgent", 5), ("new", 0)] {
            tasks.push(queued(&world, project, titled(title, priority)).await);
        }
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 2);
        assert_eq!(by(&task(&world, tasks[0]).await), Some(ada));
        assert_eq!(by(&task(&world, tasks[1]).await), Some(ada));
        assert_eq!(by(&task(&world, tasks[2]).await), None);
        let busy = DispatchBlocker::AgentAtCapacity { agents: vec!["ada".to_owned()] };
        assert_eq!(why(&world, tasks[2]).await, [busy]);
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 0, "nothing is left to give out");
        let page = tables::PageRequest::first(10);
        let moved = tables::transitions::list_of_task(world.engine().db(), tasks[1], &page).await.unwrap().0;
        assert!(moved.iter().any(|moved| moved.actor == Actor::scheduler()), "{moved:?}");
    }

    async fn e_10_a_project_that_did_not_ask_keeps_its_tasks_and_one_that_does_is_served(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = world.project("Board", EngineFixture::workflow("no-review")).await.unwrap();
        agent(&world, "ada", &[], 9).await;
        let waits = queued(&world, project, titled("waits", 0)).await;
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 0);
        assert_eq!(why(&world, waits).await, [DispatchBlocker::DispatchOff]);
        let version = world.engine().records().project(project).await.unwrap().version;
        let patch = ProjectChange { version, name: None, settings: Some(EngineFixture::settings(served(Some(1)))) };
        world.engine().projects().update_project(EngineFixture::acting_user(), project, patch).await.unwrap();
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 1);
        let second = queued(&world, project, titled("second", 0)).await;
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 0);
        assert_eq!(why(&world, second).await, [DispatchBlocker::ProjectAtCapacity { running: 1, max: 1 }]);
        let claimer = Assignee::User { id: UserId::new(Uuid::from_u128(7)) };
        world.engine().commands().handle(EngineFixture::acting_user(), second, TaskCommand::Claim { claimer }).await.unwrap();
        assert!(task(&world, second).await.run.is_some(), "a person's claim is a person's business");
    }

    /// Two schedulers, on two nodes or one: no task is claimed twice, and concurrent rounds exceed no limit.
    async fn e_10_two_schedulers_assign_each_task_once_within_the_limits(database: Arc<TestDatabase>) {
        let one = world(&database).await;
        let two = if database.engine() == Kind::Postgres { Some(world(&database).await) } else { None };
        let (first, second) = (board(&one, "First", Some(5)).await, board(&one, "Second", None).await);
        for n in 0..4 {
            agent(&one, &format!("agent {n}"), &[], 4).await;
        }
        let mut tasks = Vec::new();
        for n in 0..20 {
            for project in [first, second] {
                tasks.push(queued(&one, project, titled(&format!("task {n}"), 0)).await);
            }
        }
        let other = two.as_ref().unwrap_or(&one).engine();
        let (mine, theirs) = tokio::join!(one.engine().dispatch().assign_tasks(), other.dispatch().assign_tasks());
        assert_eq!(mine.unwrap() + theirs.unwrap(), 16, "every place is taken once");
        let mut running: BTreeMap<_, u32> = BTreeMap::new();
        for id in tasks {
            let executions = tables::executions::list_of_task(one.engine().db(), id).await.unwrap();
            assert!(executions.len() <= 1, "{id} was claimed twice");
            for execution in executions {
                *running.entry(execution.project_id.to_string()).or_default() += 1;
                *running.entry(execution.agent_id.unwrap().to_string()).or_default() += 1;
            }
        }
        assert_eq!(running.remove(&first.to_string()), Some(5));
        assert_eq!(running.remove(&second.to_string()), Some(11));
        assert!(running.len() == 4 && running.values().all(|count| *count == 4), "{running:?}");
    }

    /// From the queue to main with an agent that works on one task at a time: each effect is woken by the one before.
    async fn e_10_a_freed_agent_and_a_landed_dependency_wake_the_scheduler(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, "Board", None).await;
        let (engine, stop) = (world.engine().clone(), CancellationToken::new());
        let stopped = stop.clone();
        let running = tokio::spawn(async move { engine.run(stopped).await });
        let first = queued(&world, project, titled("first", 0)).await;
        let asked = TaskSpec { dependencies: [first].into(), ..titled("last", 9) };
        let last = queued(&world, project, asked).await;
        assert_eq!(why(&world, last).await[0], DispatchBlocker::Dependency { tasks: vec!["T-1".to_owned()] });
        agent(&world, "ada", &["coder"], 1).await;
        for id in [first, last] {
            let over = |task: &TaskSnapshot| task.standing == TaskStanding::Succeeded || task.annotation.is_some();
            let ended = world.engine().progress().wait_until(id, over).await.unwrap();
            assert_eq!(ended.standing, TaskStanding::Succeeded, "{:?}", ended.annotation);
        }
        stop.cancel();
        running.await.unwrap();
    }

    /// T-13, T-14: a held role stays with its holder.
    async fn e_10_a_held_role_is_respected(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, "Board", None).await;
        agent(&world, "ada", &[], 9).await;
        let ben = agent(&world, "ben", &[], 9).await;
        let coder = || RoleName::new("coder");
        let held = |assignee| TaskSpec { roles: [(coder(), assignee)].into(), ..titled("held", 0) };
        let persons = queued(&world, project, held(Assignee::User { id: UserId::new(Uuid::from_u128(7)) })).await;
        let bens = queued(&world, project, held(Assignee::Agent { id: ben })).await;
        world.engine().agents().pause_agent(EngineFixture::acting_user(), ben, true).await.unwrap();
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 0, "ada is free, and it is not hers");
        assert_eq!(why(&world, persons).await, [DispatchBlocker::HeldByPerson { role: coder() }]);
        assert_eq!(why(&world, bens).await, [DispatchBlocker::AgentPaused { agents: vec!["ben".to_owned()] }]);
        world.engine().agents().pause_agent(EngineFixture::acting_user(), ben, false).await.unwrap();
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 1);
        assert_eq!(by(&task(&world, bens).await), Some(ben));
    }

    async fn e_10_the_true_reason_is_shown_for_what_is_disabled_or_missing(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let engine = world.engine();
        let project = board(&world, "Board", None).await;
        let waits = queued(&world, project, titled("waits", 0)).await;
        assert_eq!(why(&world, waits).await, [DispatchBlocker::NoAgent { role: RoleName::new("coder") }]);
        agent(&world, "ada", &["coder"], 1).await;
        engine.projects().pause_project(EngineFixture::acting_user(), project, true).await.unwrap();
        assert_eq!(engine.dispatch().assign_tasks().await.unwrap(), 0);
        assert_eq!(why(&world, waits).await, [DispatchBlocker::ProjectPaused]);
        engine.projects().pause_project(EngineFixture::acting_user(), project, false).await.unwrap();
        engine.dispatch().pause_dispatch(EngineFixture::acting_user(), true).await.unwrap();
        assert_eq!(engine.dispatch().assign_tasks().await.unwrap(), 0);
        assert_eq!(why(&world, waits).await, [DispatchBlocker::DispatchPaused]);
        engine.dispatch().pause_dispatch(EngineFixture::acting_user(), false).await.unwrap();
        queued(&world, project, titled("urgent", 3)).await;
        assert_eq!(why(&world, waits).await, [DispatchBlocker::Queued { place: 2 }]);
        let bare = ProjectSpec {
            name: "Bare".to_owned(),
            workspace_type: WorkspaceType::GitWorktree,
            workflow: EngineFixture::workflow("no-review"),
            settings: EngineFixture::settings(served(None)),
        };
        let bare = engine.projects().create_project(EngineFixture::acting_user(), bare).await.unwrap().id;
        let nowhere = queued(&world, bare, titled("nowhere", 0)).await;
        assert_eq!(why(&world, nowhere).await, [DispatchBlocker::NoRepository]);
        assert_eq!(engine.dispatch().assign_tasks().await.unwrap(), 1, "what cannot begin does not keep others");
        assert_eq!(why(&world, waits).await[0], DispatchBlocker::AgentAtCapacity { agents: vec!["ada".to_owned()] });
        let begun = world.find(project, "urgent").await.unwrap().expect("the other");
        assert_eq!(why(&world, begun.id).await, [], "what is under way does not wait");
        let listed = engine.dispatch().list_waiting_tasks(project, 10).await.unwrap();
        assert_eq!(listed.iter().map(|waiting| waiting.task.id).collect::<Vec<_>>(), [waits]);
    }

    /// D-2: tasks that were claimable before the queue existed are queued at start-up.
    async fn e_10_tasks_from_before_the_queue_existed_are_queued_at_start_up(database: Arc<TestDatabase>) {
        let mut world = world(&database).await;
        let project = board(&world, "Board", None).await;
        agent(&world, "ada", &["coder"], 9).await;
        queued(&world, project, titled("old", 0)).await;
        let forgotten: Result<u64, StoreError> = world.engine().db().write(|tx| {
            let update = stmt("UPDATE waiting_tasks SET role = NULL, lane = '', free = FALSE, ready = FALSE");
            Box::pin(async move { tx.execute(update).await })
        }).await;
        assert_eq!(forgotten.unwrap(), 1);
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 0);
        world.restart().await;
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 1);
    }
}

/// E-11: above a threshold no execution starts by itself, and the reason is shown; a user's claim still works.
#[tokio::test]
async fn e_11_a_full_disk_holds_the_scheduler_and_no_person() {
    let admission = AdmissionLimits { least_disk_bytes: u64::MAX, ..AdmissionLimits::default() };
    let limits = EngineLimits { admission, ..EngineFixture::limits() };
    let world = EngineFixture::with_limits(FaultSweep::counting(), None, limits).await;
    let project = board(&world, "Board", None).await;
    let ada = agent(&world, "ada", &["coder"], 1).await;
    let waits = queued(&world, project, titled("waits", 0)).await;
    assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 0);
    let reasons = why(&world, waits).await;
    assert!(
        matches!(reasons.as_slice(), [DispatchBlocker::Shortage(ResourceShortage::DiskLow { .. })]),
        "{reasons:?}"
    );
    let claimer = Assignee::Agent { id: ada };
    world
        .engine()
        .commands()
        .handle(EngineFixture::acting_user(), waits, TaskCommand::Claim { claimer })
        .await
        .unwrap();
    assert_eq!(by(&task(&world, waits).await), Some(ada));
}

/// E-10: the node's limit holds, and a claim by the scheduler is refused while dispatch is paused.
#[tokio::test]
async fn e_10_the_limit_of_the_node_holds() {
    let limits = EngineLimits { agents: Some(2), ..EngineFixture::limits() };
    let world = EngineFixture::with_limits(FaultSweep::counting(), None, limits).await;
    let project = board(&world, "Board", None).await;
    let ada = agent(&world, "ada", &["coder"], 9).await;
    let mut last = None;
    for n in 0..3 {
        last = Some(queued(&world, project, titled(&format!("task {n}"), 0)).await);
    }
    assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 2);
    let last = last.unwrap();
    assert_eq!(why(&world, last).await, [DispatchBlocker::NodeAtCapacity { running: 2, max: 2 }]);
    world.engine().dispatch().pause_dispatch(EngineFixture::acting_user(), true).await.unwrap();
    let claim = TaskCommand::Claim { claimer: Assignee::Agent { id: ada } };
    let refused = world.engine().commands().handle(Actor::scheduler(), last, claim).await;
    assert!(matches!(refused, Err(EngineError::Refused(Refusal::NotDispatched(_)))), "{refused:?}");
}
