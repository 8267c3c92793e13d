//! Budgets (E-8), allowances and fallbacks (E-9), and whose turn it is after a handoff (T-20), with real programs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::dispatch::Reason;
use forge_domain::task::{AnnotationType, Snapshot};
use forge_domain::workflow::{Standing, StateName};
use forge_domain::{
    Actor, AgentId, Assignee, Budget, BudgetOwner, Command, Overspent, ProjectId, Refusal, Spent,
    TaskId, TaskPatch, Timestamp,
};
use forge_engine::{Clock, EngineError, NewAgent, NewTask};
use forge_store::tables;
use forge_testkit::database::TestDatabase;
use forge_testkit::fault_sweep::FaultSweep;
use forge_testkit::world::World;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// A turn that costs 107 tokens and a quarter of a dollar.
const PAID: &str = r#"cat > /dev/null; echo x >> work.txt
echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s-1","total_cost_usd":0.25,"usage":{"input_tokens":100,"output_tokens":7}}'"#;

async fn world(database: &TestDatabase) -> World {
    World::with(FaultSweep::counting(), Some(database.url().clone())).await
}

fn served(budget: Value) -> Value {
    json!({ "dispatch": { "enabled": true }, "budget": budget })
}

async fn board(world: &World, budget: Value) -> ProjectId {
    world.project_with("Board", World::workflow("no-review"), served(budget)).await.unwrap()
}

fn claude(name: &str, script: &str) -> NewAgent {
    NewAgent {
        name: name.to_owned(),
        executor: json!({ "kind": "claude", "command": ["sh", "-c", script, "claude"] }),
        roles: vec!["coder".to_owned()],
        max_concurrent: 1,
        ephemeral: false,
        fallback: None,
    }
}

async fn agent(world: &World, asked: NewAgent) -> AgentId {
    world.engine().create_agent(World::person(), asked).await.unwrap().id
}

async fn queued(world: &World, project: ProjectId, title: &str, budget: Budget) -> TaskId {
    let asked = NewTask { title: title.to_owned(), budget, ..NewTask::default() };
    let task = world.engine().create_task(World::person(), project, asked).await.unwrap();
    let command = Command::Move { to: StateName::new("todo"), version: task.version, reason: None };
    world.engine().handle(World::person(), task.id, command).await.unwrap();
    task.id
}

async fn why(world: &World, task: TaskId) -> Vec<Reason> {
    world.engine().why(task).await.unwrap().reasons
}

async fn given(world: &World) -> usize {
    let given = world.engine().dispatch().await.unwrap();
    world.engine().drain().await.unwrap();
    given
}

fn note(task: &Snapshot) -> Option<AnnotationType> {
    task.annotation.as_ref().map(|note| note.kind)
}

/// Says that its allowance is used up until then, the first time; works the second.
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
    async fn e_8_a_spent_project_gives_out_nothing_and_goes_on_when_its_budget_is_raised(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, json!({ "cost_micro_usd": 400_000 })).await;
        let ada = agent(&world, claude("ada", PAID)).await;
        let mut tasks = Vec::new();
        for n in 0..3 {
            tasks.push(queued(&world, project, &format!("task {n}"), Budget::default()).await);
        }
        assert_eq!((given(&world).await, given(&world).await), (1, 1), "there is money for the second");
        assert_eq!(given(&world).await, 0);
        let spent = Spent::MicroUsd { used: 500_000, limit: 400_000 };
        let overspent = Overspent { owner: BudgetOwner::Project, spent };
        assert_eq!(why(&world, tasks[2]).await, [Reason::BudgetExhausted(overspent)]);
        for actor in [World::person(), Actor::scheduler()] {
            let claim = Command::Claim { claimer: Assignee::Agent { id: ada } };
            let refused = world.engine().handle(actor, tasks[2], claim).await;
            assert!(matches!(&refused, Err(EngineError::Refused(Refusal::BudgetExhausted(found))) if *found == overspent), "{refused:?}");
        }
        let (engine, stop) = (world.engine().clone(), CancellationToken::new());
        let stopped = stop.clone();
        let running = tokio::spawn(async move { engine.run(stopped).await });
        world.change_settings(project, served(json!({ "cost_micro_usd": 500_001 }))).await;
        let over = |task: &Snapshot| task.standing == Standing::Succeeded || task.annotation.is_some();
        let ended = world.engine().reached(tasks[2], over).await.unwrap();
        assert_eq!(ended.standing, Standing::Succeeded, "{:?}", ended.annotation);
        stop.cancel();
        running.await.unwrap();
    }

    /// A task over its own budget stands in nobody's way.
    async fn e_8_a_spent_task_leaves_the_line_until_its_budget_is_raised(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, Value::Null).await;
        let failing = format!("{PAID}\nexit 3");
        agent(&world, claude("ada", &failing)).await;
        let small = Budget { tokens: Some(107), cost_micro_usd: None };
        let task = queued(&world, project, "small", small).await;
        assert_eq!(given(&world).await, 1);
        let parked = world.now(task).await;
        assert_eq!(note(&parked), Some(AnnotationType::ExecutionFailed));
        let back = Command::HandOff { message: "it fails".to_owned() };
        world.engine().handle(World::person(), task, back).await.unwrap();
        assert_eq!(world.now(task).await.state.as_str(), "todo");
        assert_eq!(given(&world).await, 0);
        let spent = Spent::Tokens { used: 107, limit: 107 };
        let overspent = Overspent { owner: BudgetOwner::Task, spent };
        assert_eq!(why(&world, task).await, [Reason::BudgetExhausted(overspent)]);
        let other = queued(&world, project, "other", Budget::default()).await;
        assert_eq!(given(&world).await, 1, "the other one comes after it in line");
        assert!(world.now(other).await.last_run.is_some());
        let budget = Some(Budget { tokens: Some(108), cost_micro_usd: None });
        let patch = TaskPatch { budget, ..TaskPatch::default() };
        world.engine().edit_task(World::person(), task, patch).await.unwrap();
        assert_eq!(given(&world).await, 1);
        let used = tables::usage::of_task(world.engine().db(), task).await.unwrap();
        assert_eq!((used.executions, used.usage.tokens()), (2, 214));
    }

    /// A task that is under way and cannot go on waits where it is, over a restart too.
    async fn e_8_what_was_begun_waits_for_money_where_it_is(database: Arc<TestDatabase>) {
        let mut world = world(&database).await;
        let project = board(&world, json!({ "tokens": 107 })).await;
        agent(&world, claude("ada", &format!("{PAID}\n[ $(wc -l < work.txt) -gt 1 ] || exit 3"))).await;
        let task = queued(&world, project, "work", Budget::default()).await;
        assert_eq!(given(&world).await, 1);
        world.advance(task, "blocked", "in_progress").await.unwrap();
        world.engine().drain().await.unwrap();
        assert_eq!(note(&world.now(task).await), Some(AnnotationType::BudgetExhausted));
        let spent = Spent::Tokens { used: 107, limit: 107 };
        let overspent = Overspent { owner: BudgetOwner::Project, spent };
        assert_eq!(why(&world, task).await, [Reason::BudgetExhausted(overspent)]);
        let check = world.engine().check_agents(None).await.unwrap();
        assert!(check.abandoned.is_empty(), "who waits is not gone: {check:?}");
        world.restart().await;
        world.engine().drain().await.unwrap();
        assert_eq!(note(&world.now(task).await), Some(AnnotationType::BudgetExhausted));
        world.change_settings(project, served(Value::Null)).await;
        world.engine().drain().await.unwrap();
        assert_eq!(world.now(task).await.standing, Standing::Succeeded);
    }

    /// The clock stands still until somebody waits for exactly the moment that the program named.
    async fn e_9_the_end_of_a_wait_is_an_event_and_the_place_is_free_meanwhile(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let back = world.clock.now().plus_seconds(3600);
        let project = board(&world, Value::Null).await;
        agent(&world, claude("ada", &limited(back))).await;
        let first = queued(&world, project, "first", Budget::default()).await;
        assert_eq!(given(&world).await, 1);
        let waits = world.now(first).await;
        assert_eq!((note(&waits), waits.run), (Some(AnnotationType::QuotaWait), None));
        let loads = tables::dispatch::loads(world.engine().db()).await.unwrap();
        assert_eq!(loads, [], "nobody's place is taken");
        let second = queued(&world, project, "second", Budget::default()).await;
        assert_eq!(given(&world).await, 0, "who waits for an allowance gets nothing else");
        let reason = Reason::QuotaWait { agents: vec!["ada".to_owned()], seconds: 3600 };
        assert_eq!(why(&world, second).await, std::slice::from_ref(&reason));
        assert_eq!(why(&world, first).await, [reason]);
        let (engine, stop) = (world.engine().clone(), CancellationToken::new());
        let stopped = stop.clone();
        let running = tokio::spawn(async move { engine.run(stopped).await });
        world.clock.advance_to(Timestamp::from_millis(back.millis() - 5_000));
        world.clock.until_awaited(back).await;
        world.clock.advance_to(back);
        let succeeded = |task: &Snapshot| task.standing == Standing::Succeeded;
        for task in [first, second] {
            world.engine().reached(task, succeeded).await.unwrap();
        }
        stop.cancel();
        running.await.unwrap();
    }

    /// The wait of the task that ran into the limit is called off; the agent's own goes on, and ends on time.
    async fn e_9_the_scheduler_waits_for_the_moment_an_allowance_is_back(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let back = world.clock.now().plus_seconds(3600);
        let project = board(&world, Value::Null).await;
        agent(&world, claude("ada", &limited(back))).await;
        let first = queued(&world, project, "first", Budget::default()).await;
        assert_eq!(given(&world).await, 1);
        world.engine().handle(World::person(), first, Command::Cancel { reason: None }).await.unwrap();
        let second = queued(&world, project, "second", Budget::default()).await;
        let (engine, stop) = (world.engine().clone(), CancellationToken::new());
        let stopped = stop.clone();
        let running = tokio::spawn(async move { engine.run(stopped).await });
        world.clock.advance_to(Timestamp::from_millis(back.millis() - 30_000));
        world.clock.until_awaited(back).await;
        assert!(world.now(second).await.run.is_none());
        world.clock.advance_to(back);
        world.engine().reached(second, |task| task.standing == Standing::Succeeded).await.unwrap();
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
        assert_eq!(note(&world.now(task).await), Some(AnnotationType::QuotaWait));
        world.engine().pause_agent(World::person(), ada, false).await.unwrap();
        world.engine().drain().await.unwrap();
        assert_eq!(world.now(task).await.standing, Standing::Succeeded);
    }

    /// Same path, same branch, and a prompt that says why.
    async fn e_9_a_fallback_takes_over_in_the_same_worktree(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, Value::Null).await;
        let cat = "cat >> \"$HOME/prompts\"; pwd >> \"$HOME/places\"; cat half.txt >> \"$HOME/found\"; echo more > more.txt";
        let last = agent(&world, claude("cleo", cat)).await;
        let paused = agent(&world, NewAgent { fallback: Some(last), ..claude("ben", cat) }).await;
        world.engine().pause_agent(World::person(), paused, true).await.unwrap();
        let back = world.clock.now().plus_seconds(3600);
        let script = format!("pwd >> \"$HOME/places\"; {}", limited(back));
        agent(&world, NewAgent { fallback: Some(paused), ..claude("ada", &script) }).await;
        let task = queued(&world, project, "work", Budget::default()).await;
        let claimer = Assignee::Agent { id: tables::agents::all(world.engine().db()).await.unwrap()[0].id };
        world.engine().handle(World::person(), task, Command::Claim { claimer }).await.unwrap();
        world.engine().drain().await.unwrap();
        let done = world.now(task).await;
        assert_eq!(done.standing, Standing::Succeeded, "{:?}", done.annotation);
        let runs = tables::executions::list_of_task(world.engine().db(), task).await.unwrap();
        assert_eq!(runs.iter().map(|run| run.agent_id).collect::<Vec<_>>(), [claimer.agent(), Some(last)]);
        let places = world.lines("places");
        assert!(places.len() == 2 && places[0] == places[1], "{places:?}");
        assert_eq!(world.lines("found"), ["half"], "what the first left is there");
        let prompt = world.lines("prompts").join("\n");
        assert!(prompt.contains("The allowance of ada was used up") && prompt.contains("cleo goes on"), "{prompt}");
        assert_eq!(done.handoffs.len(), 1);
    }

    async fn t_20_a_handed_off_task_goes_to_somebody_else(database: Arc<TestDatabase>) {
        let world = world(&database).await;
        let project = board(&world, Value::Null).await;
        let ada = agent(&world, claude("ada", "exit 3")).await;
        let task = queued(&world, project, "hard", Budget::default()).await;
        assert_eq!(given(&world).await, 1);
        let hand_off = || Command::HandOff { message: "not for me".to_owned() };
        world.engine().handle(World::person(), task, hand_off()).await.unwrap();
        let other = queued(&world, project, "other", Budget::default()).await;
        let ben = agent(&world, claude("ben", PAID)).await;
        world.engine().pause_agent(World::person(), ben, true).await.unwrap();
        world.engine().pause_agent(World::person(), ben, false).await.unwrap();
        let taken = queued(&world, project, "taken by ben", Budget::default()).await;
        let claim = Command::Claim { claimer: Assignee::Agent { id: ben } };
        world.engine().handle(World::person(), taken, claim).await.unwrap();
        // Ben is busy: ada gets the other one, and not what she let go of.
        assert_eq!(world.engine().dispatch().await.unwrap(), 1);
        let by = |task: &Snapshot| task.run.as_ref().and_then(|run| run.assignee.agent());
        assert_eq!(by(&world.now(other).await), Some(ada));
        assert_eq!(by(&world.now(task).await), None);
        assert_eq!(why(&world, task).await, [Reason::AgentAtCapacity { agents: vec!["ben".to_owned()] }]);
        world.engine().drain().await.unwrap();
        assert_eq!(world.engine().dispatch().await.unwrap(), 1);
        assert_eq!(by(&world.now(task).await), Some(ben));
    }
}
