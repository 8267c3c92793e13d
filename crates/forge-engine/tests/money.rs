//! Budgets (E-8), quotas and fallbacks (E-9), and reassignment after a handoff (T-20), with real programs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::dispatch::DispatchBlocker;
use forge_domain::task::{AnnotationType, TaskSnapshot};
use forge_domain::workflow::{StateName, TaskStanding};
use forge_domain::{
    Actor, AgentId, Assignee, Budget, BudgetOwner, ExhaustedBudget, ProjectId, ReachedLimit,
    Refusal, TaskCommand, TaskId, TaskPatch, Timestamp,
};
use forge_engine::{AgentSpec, Clock, EngineError, TaskSpec};
use forge_store::tables;
use forge_testkit::database::TestDatabase;
use forge_testkit::engine_fixture::EngineFixture;
use forge_testkit::fault_sweep::FaultSweep;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// An execution that costs 107 tokens and a quarter of a dollar.
const PAID: &str = r#"cat > /dev/null; echo x >> work.txt
echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s-1","total_cost_usd":0.25,"usage":{"input_tokens":100,"output_tokens":7}}'"#;

async fn world(database: &TestDatabase) -> EngineFixture {
    EngineFixture::with(FaultSweep::counting(), Some(database.url().clone())).await
}

fn served(budget: Value) -> Value {
    json!({ "dispatch": { "enabled": true }, "budget": budget })
}

async fn board(world: &EngineFixture, budget: Value) -> ProjectId {
    world.project_with("Board", EngineFixture::workflow("no-review"), served(budget)).await.unwrap()
}

fn claude(name: &str, script: &str) -> AgentSpec {
    AgentSpec {
        name: name.to_owned(),
        executor: json!({ "kind": "claude", "command": ["sh", "-c", script, "claude"] }),
        roles: vec!["coder".to_owned()],
        max_concurrent: 1,
        ephemeral: false,
        fallback: None,
    }
}

async fn agent(world: &EngineFixture, asked: AgentSpec) -> AgentId {
    world.engine().agents().create_agent(EngineFixture::acting_user(), asked).await.unwrap().id
}

async fn queued(world: &EngineFixture, project: ProjectId, title: &str, budget: Budget) -> TaskId {
    let asked = TaskSpec { title: title.to_owned(), budget, ..TaskSpec::default() };
    let task = world
        .engine()
        .commands()
        .create_task(EngineFixture::acting_user(), project, asked)
        .await
        .unwrap();
    let command =
        TaskCommand::Move { to: StateName::new("todo"), version: Some(task.version), reason: None };
    world.engine().commands().handle(EngineFixture::acting_user(), task.id, command).await.unwrap();
    task.id
}

async fn why(world: &EngineFixture, task: TaskId) -> Vec<DispatchBlocker> {
    world.engine().dispatch().explain_wait(task).await.unwrap().reasons
}

async fn given(world: &EngineFixture) -> usize {
    let given = world.engine().dispatch().assign_tasks().await.unwrap();
    world.engine().drain().await.unwrap();
    given
}

fn note(task: &TaskSnapshot) -> Option<AnnotationType> {
    task.annotation.as_ref().map(|note| note.kind)
}

/// Reports at first that its quota is used up until then; works the second time.
fn limited(back: Timestamp) -> String {
    format!(
        r#"if [ -e "$HOME/again" ]; then {PAID}
exit 0; fi
touch "$HOME/again"; echo half > half.txt; cat > /dev/null
echo '{{"type":"rate_limit_event","rate_limit_info":{{"status":"rejected","resetsAt":{}}}}}'
echo '{{"type":"result","subtype":"success","is_error":true,"result":"You have hit your limit","session_id":"s-1"}}'
exit 1"#,
        back.millis() / 1000
    )
}

forge_testkit::both_databases! {
    async fn e_8_a_project_over_budget_dispatches_nothing_until_its_budget_is_raised(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, json!({ "cost_micro_usd": 400_000 })).await;
        let ada = agent(&world, claude("ada", PAID)).await;
        let mut tasks = Vec::new();
        for n in 0..3 {
            tasks.push(queued(&world, project, &format!("task {n}"), Budget::default()).await);
        }
        assert_eq!((given(&world).await, given(&world).await), (1, 1), "there is money for the second");
        assert_eq!(given(&world).await, 0);
        let spent = ReachedLimit::MicroUsd { used: 500_000, limit: 400_000 };
        let overspent = ExhaustedBudget { owner: BudgetOwner::Project, spent };
        assert_eq!(why(&world, tasks[2]).await, [DispatchBlocker::BudgetExhausted(overspent)]);
        for actor in [EngineFixture::acting_user(), Actor::scheduler()] {
            let claim = TaskCommand::Claim { claimer: Assignee::Agent { id: ada } };
            let refused = world.engine().commands().handle(actor, tasks[2], claim).await;
            assert!(matches!(&refused, Err(EngineError::Refused(Refusal::BudgetExhausted(found))) if *found == overspent), "{refused:?}");
        }
        let (engine, stop) = (world.engine().clone(), CancellationToken::new());
        let stopped = stop.clone();
        let running = tokio::spawn(async move { engine.run(stopped).await });
        world.change_settings(project, served(json!({ "cost_micro_usd": 500_001 }))).await;
        let over = |task: &TaskSnapshot| task.standing == TaskStanding::Succeeded || task.annotation.is_some();
        let ended = world.engine().progress().wait_until(tasks[2], over).await.unwrap();
        assert_eq!(ended.standing, TaskStanding::Succeeded, "{:?}", ended.annotation);
        stop.cancel();
        running.await.unwrap();
    }

    /// A task over its own budget does not block others.
    async fn e_8_a_task_over_budget_leaves_the_queue_until_its_budget_is_raised(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, Value::Null).await;
        let failing = format!("{PAID}\nexit 3");
        agent(&world, claude("ada", &failing)).await;
        let small = Budget { tokens: Some(107), cost_micro_usd: None };
        let task = queued(&world, project, "small", small).await;
        assert_eq!(given(&world).await, 1);
        let parked = world.load_task(task).await;
        assert_eq!(note(&parked), Some(AnnotationType::ExecutionFailed));
        let back = TaskCommand::HandOff { message: "it fails".to_owned() };
        world.engine().commands().handle(EngineFixture::acting_user(), task, back).await.unwrap();
        assert_eq!(world.load_task(task).await.state.as_str(), "todo");
        assert_eq!(given(&world).await, 0);
        let spent = ReachedLimit::Tokens { used: 107, limit: 107 };
        let overspent = ExhaustedBudget { owner: BudgetOwner::Task, spent };
        assert_eq!(why(&world, task).await, [DispatchBlocker::BudgetExhausted(overspent)]);
        let other = queued(&world, project, "other", Budget::default()).await;
        assert_eq!(given(&world).await, 1, "the other one comes after it in line");
        assert!(world.load_task(other).await.last_run.is_some());
        let budget = Some(Budget { tokens: Some(108), cost_micro_usd: None });
        let patch = TaskPatch { budget, ..TaskPatch::default() };
        world.engine().commands().edit_task(EngineFixture::acting_user(), task, patch).await.unwrap();
        assert_eq!(given(&world).await, 1);
        let used = tables::usage::of_task(world.engine().db(), task).await.unwrap();
        assert_eq!((used.executions, used.usage.tokens()), (2, 214));
    }

    /// A task in progress that cannot continue waits where it is, also across a restart.
    async fn e_8_a_task_in_progress_waits_for_its_budget_in_place(database: Arc<TestDatabase>) {
        let mut world = world(&database).await;
        let project = board(&world, json!({ "tokens": 107 })).await;
        agent(&world, claude("ada", &format!("{PAID}\n[ $(wc -l < work.txt) -gt 1 ] || exit 3"))).await;
        let task = queued(&world, project, "work", Budget::default()).await;
        assert_eq!(given(&world).await, 1);
        world.move_between(task, "blocked", "in_progress").await.unwrap();
        world.engine().drain().await.unwrap();
        assert_eq!(note(&world.load_task(task).await), Some(AnnotationType::BudgetExhausted));
        let spent = ReachedLimit::Tokens { used: 107, limit: 107 };
        let overspent = ExhaustedBudget { owner: BudgetOwner::Project, spent };
        assert_eq!(why(&world, task).await, [DispatchBlocker::BudgetExhausted(overspent)]);
        let check = world.engine().agent_supervision().load_agents_overview(None).await.unwrap();
        assert!(check.abandoned.is_empty(), "who waits is not gone: {check:?}");
        world.restart().await;
        world.engine().drain().await.unwrap();
        assert_eq!(note(&world.load_task(task).await), Some(AnnotationType::BudgetExhausted));
        world.change_settings(project, served(Value::Null)).await;
        world.engine().drain().await.unwrap();
        assert_eq!(world.load_task(task).await.standing, TaskStanding::Succeeded);
    }

    /// The clock stands still until the engine waits for exactly the time that the program named.
    async fn e_9_a_wait_ends_by_an_event_and_frees_the_slot_meanwhile(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let back = world.clock.now().plus_seconds(3600);
        let project = board(&world, Value::Null).await;
        agent(&world, claude("ada", &limited(back))).await;
        let first = queued(&world, project, "first", Budget::default()).await;
        assert_eq!(given(&world).await, 1);
        let waits = world.load_task(first).await;
        assert_eq!((note(&waits), waits.run), (Some(AnnotationType::QuotaWait), None));
        let loads = tables::served_projects::agent_loads(world.engine().db()).await.unwrap();
        assert_eq!(loads, [], "no slot is taken");
        let second = queued(&world, project, "second", Budget::default()).await;
        assert_eq!(given(&world).await, 0, "who waits for an allowance gets nothing else");
        let reason = DispatchBlocker::QuotaWait { agents: vec!["ada".to_owned()], seconds: 3600 };
        assert_eq!(why(&world, second).await, std::slice::from_ref(&reason));
        assert_eq!(why(&world, first).await, [reason]);
        let (engine, stop) = (world.engine().clone(), CancellationToken::new());
        let stopped = stop.clone();
        let running = tokio::spawn(async move { engine.run(stopped).await });
        world.clock.advance_to(Timestamp::from_millis(back.millis() - 5_000));
        world.clock.wait_until_awaited(back).await;
        world.clock.advance_to(back);
        let succeeded = |task: &TaskSnapshot| task.standing == TaskStanding::Succeeded;
        for task in [first, second] {
            world.engine().progress().wait_until(task, succeeded).await.unwrap();
        }
        stop.cancel();
        running.await.unwrap();
    }

    /// The wait of the task that reached the limit is cancelled; the agent's own wait continues, and ends on time.
    async fn e_9_the_scheduler_waits_until_a_quota_returns(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let back = world.clock.now().plus_seconds(3600);
        let project = board(&world, Value::Null).await;
        agent(&world, claude("ada", &limited(back))).await;
        let first = queued(&world, project, "first", Budget::default()).await;
        assert_eq!(given(&world).await, 1);
        world.engine().commands().handle(EngineFixture::acting_user(), first, TaskCommand::Cancel { reason: None }).await.unwrap();
        let second = queued(&world, project, "second", Budget::default()).await;
        let (engine, stop) = (world.engine().clone(), CancellationToken::new());
        let stopped = stop.clone();
        let running = tokio::spawn(async move { engine.run(stopped).await });
        world.clock.advance_to(Timestamp::from_millis(back.millis() - 30_000));
        world.clock.wait_until_awaited(back).await;
        assert!(world.load_task(second).await.run.is_none());
        world.clock.advance_to(back);
        world.engine().progress().wait_until(second, |task| task.standing == TaskStanding::Succeeded).await.unwrap();
        stop.cancel();
        running.await.unwrap();
    }

    async fn e_9_resuming_the_agent_ends_the_wait_of_its_tasks(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let back = world.clock.now().plus_seconds(3600);
        let project = board(&world, Value::Null).await;
        let ada = agent(&world, claude("ada", &limited(back))).await;
        let task = queued(&world, project, "work", Budget::default()).await;
        assert_eq!(given(&world).await, 1);
        assert_eq!(note(&world.load_task(task).await), Some(AnnotationType::QuotaWait));
        world.engine().agents().pause_agent(EngineFixture::acting_user(), ada, false).await.unwrap();
        world.engine().drain().await.unwrap();
        assert_eq!(world.load_task(task).await.standing, TaskStanding::Succeeded);
    }

    /// Same path, same branch, and a prompt that says why.
    async fn e_9_a_fallback_takes_over_in_the_same_worktree(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, Value::Null).await;
        let cat = "cat >> \"$HOME/prompts\"; pwd >> \"$HOME/places\"; cat half.txt >> \"$HOME/found\"; echo more > more.txt";
        let last = agent(&world, claude("cleo", cat)).await;
        let paused = agent(&world, AgentSpec { fallback: Some(last), ..claude("ben", cat) }).await;
        world.engine().agents().pause_agent(EngineFixture::acting_user(), paused, true).await.unwrap();
        let back = world.clock.now().plus_seconds(3600);
        let script = format!("pwd >> \"$HOME/places\"; {}", limited(back));
        agent(&world, AgentSpec { fallback: Some(paused), ..claude("ada", &script) }).await;
        let task = queued(&world, project, "work", Budget::default()).await;
        let claimer = Assignee::Agent { id: tables::agents::all(world.engine().db()).await.unwrap()[0].id };
        world.engine().commands().handle(EngineFixture::acting_user(), task, TaskCommand::Claim { claimer }).await.unwrap();
        world.engine().drain().await.unwrap();
        let done = world.load_task(task).await;
        assert_eq!(done.standing, TaskStanding::Succeeded, "{:?}", done.annotation);
        let runs = tables::executions::list_of_task(world.engine().db(), task).await.unwrap();
        assert_eq!(runs.iter().map(|run| run.agent_id).collect::<Vec<_>>(), [claimer.agent(), Some(last)]);
        let places = world.lines("places");
        assert!(places.len() == 2 && places[0] == places[1], "{places:?}");
        assert_eq!(world.lines("found"), ["half"], "what the first left is there");
        let prompt = world.lines("prompts").join("\n");
        assert!(prompt.contains("The allowance of ada was used up") && prompt.contains("cleo continues"), "{prompt}");
        assert_eq!(done.handoffs.len(), 1);
    }

    async fn t_20_a_handed_off_task_goes_to_another_agent(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, Value::Null).await;
        let ada = agent(&world, claude("ada", "exit 3")).await;
        let task = queued(&world, project, "hard", Budget::default()).await;
        assert_eq!(given(&world).await, 1);
        let hand_off = || TaskCommand::HandOff { message: "not for me".to_owned() };
        world.engine().commands().handle(EngineFixture::acting_user(), task, hand_off()).await.unwrap();
        let other = queued(&world, project, "other", Budget::default()).await;
        let ben = agent(&world, claude("ben", PAID)).await;
        world.engine().agents().pause_agent(EngineFixture::acting_user(), ben, true).await.unwrap();
        world.engine().agents().pause_agent(EngineFixture::acting_user(), ben, false).await.unwrap();
        let taken = queued(&world, project, "taken by ben", Budget::default()).await;
        let claim = TaskCommand::Claim { claimer: Assignee::Agent { id: ben } };
        world.engine().commands().handle(EngineFixture::acting_user(), taken, claim).await.unwrap();
        // Ben is busy: ada gets the other task, but not the one that she handed off.
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 1);
        let by = |task: &TaskSnapshot| task.run.as_ref().and_then(|run| run.assignee.agent());
        assert_eq!(by(&world.load_task(other).await), Some(ada));
        assert_eq!(by(&world.load_task(task).await), None);
        assert_eq!(why(&world, task).await, [DispatchBlocker::AgentAtCapacity { agents: vec!["ben".to_owned()] }]);
        world.engine().drain().await.unwrap();
        assert_eq!(world.engine().dispatch().assign_tasks().await.unwrap(), 1);
        assert_eq!(by(&world.load_task(task).await), Some(ben));
    }
}
