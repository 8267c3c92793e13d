//! An agent with an expired login (E-9, issue 13 number 12): its tasks stay in the queue, and it gets none until it is
//! resumed or a probe finds it signed in.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::dispatch::DispatchBlocker;
use forge_domain::workflow::StateName;
use forge_domain::{AgentId, Assignee, FailureClass, ProjectId, TaskCommand, TaskId};
use forge_engine::{AgentChange, AgentSpec, LoginState};
use forge_store::tables::{self, agent_waits::WaitCause};
use forge_testkit::engine_fixture::EngineFixture;
use serde_json::{Value, json};

/// A `claude` that is signed in if a file exists.
const CLAUDE: &str = r#"
if [ "$1" = auth ]; then
  if [ -e "$HOME/signed-in" ]; then echo '{ "loggedIn": true, "authMethod": "claude.ai" }'; exit 0; fi
  echo '{ "loggedIn": false, "authMethod": "none" }'; exit 1
fi
cat > /dev/null
if [ ! -e "$HOME/signed-in" ]; then
  echo '{"type":"result","subtype":"success","is_error":true,"result":"OAuth token has expired · Please run /login","session_id":"s-1"}'
  exit 1
fi
echo work > "$FORGE_TASK_ID"
echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s-1"}'
"#;

struct Scene {
    world: EngineFixture,
    project: ProjectId,
    ada: AgentId,
    tasks: Vec<TaskId>,
}

fn claude(script: &str) -> Value {
    json!({ "kind": "claude", "command": ["sh", "-c", script, "claude"] })
}

async fn agent(
    world: &EngineFixture,
    name: &str,
    executor: Value,
    fallback: Option<AgentId>,
) -> AgentId {
    let asked = AgentSpec {
        name: name.to_owned(),
        executor,
        roles: Vec::new(),
        max_concurrent: 2,
        ephemeral: false,
        fallback,
    };
    world
        .engine()
        .agents()
        .create_agent(EngineFixture::acting_user(), asked)
        .await
        .expect("it is taken")
        .id
}

/// Six tasks wait for one agent that is not signed in.
async fn scene() -> Scene {
    let world = EngineFixture::new().await;
    let settings = json!({ "dispatch": { "enabled": true } });
    let project =
        world.project_with("Board", EngineFixture::workflow("no-review"), settings).await.unwrap();
    let mut tasks = Vec::new();
    for number in 0..6 {
        let task = world
            .task(project, EngineFixture::task_request(&format!("Work {number}")))
            .await
            .unwrap();
        tasks.push(task);
    }
    let ada = agent(&world, "ada", claude(CLAUDE), None).await;
    Scene { world, project, ada, tasks }
}

impl Scene {
    async fn queue_all(&self) {
        for task in &self.tasks {
            let now = self.world.engine().records().task(*task).await.unwrap();
            if now.state.as_str() == "todo" {
                continue;
            }
            let to = StateName::new("todo");
            let command = TaskCommand::Move { to, version: Some(now.version), reason: None };
            self.world
                .engine()
                .commands()
                .handle(EngineFixture::acting_user(), *task, command)
                .await
                .unwrap();
        }
    }

    /// Dispatches until nothing more can be assigned.
    async fn dispatch(&self) -> usize {
        let mut given = 0;
        loop {
            let now = self.world.engine().dispatch().assign_tasks().await.expect("a round");
            self.world.engine().drain().await.expect("carried out");
            given += now;
            if now == 0 {
                return given;
            }
        }
    }

    async fn states(&self) -> Vec<String> {
        let mut states = Vec::new();
        for task in &self.tasks {
            states.push(self.world.engine().records().task(*task).await.unwrap().state.to_string());
        }
        states
    }

    async fn waits_for_login(&self) -> bool {
        let engine = self.world.engine();
        let wait =
            tables::agent_waits::of_agent(engine.db(), self.ada, engine.now()).await.unwrap();
        wait.is_some_and(|wait| wait.cause == WaitCause::Login)
    }
}

#[tokio::test]
async fn issue_13_12_an_expired_login_leaves_the_backlog_in_the_queue() {
    let scene = scene().await;
    scene.queue_all().await;
    let given = scene.dispatch().await;
    assert!((1..=2).contains(&given), "the agent's two places at most: {given}");
    assert_eq!(scene.states().await, ["todo"; 6]);
    let engine = scene.world.engine();
    for task in &scene.tasks {
        let now = engine.records().task(*task).await.unwrap();
        assert_eq!((now.annotation, now.roles.is_empty()), (None, true));
        let why = engine.dispatch().explain_wait(*task).await.unwrap().reasons;
        assert_eq!(why, [DispatchBlocker::NotSignedIn { agents: vec!["ada".to_owned()] }]);
    }
    let runs = tables::executions::list_of_task(engine.db(), scene.tasks[0]).await.unwrap();
    let failure = runs[0].outcome.as_ref().and_then(|end| end.told.failure.clone());
    assert_eq!(failure.map(|failure| failure.class), Some(FailureClass::Auth));
    let wait = tables::agent_waits::of_agent(engine.db(), scene.ada, engine.now()).await.unwrap();
    assert!(wait.expect("it waits").message.contains("has expired"));
}

#[tokio::test]
async fn issue_13_12_a_probe_that_finds_a_login_ends_the_wait() {
    let scene = scene().await;
    scene.queue_all().await;
    scene.dispatch().await;
    let engine = scene.world.engine();
    let (_, found) = engine
        .agents()
        .probe_agent(EngineFixture::acting_user(), scene.ada)
        .await
        .expect("it is there");
    assert_eq!(found.login, Some(LoginState::SignedOut));
    assert!(scene.waits_for_login().await, "it is still not signed in");
    std::fs::write(scene.world.home().join("signed-in"), "").unwrap();
    let (_, found) = engine
        .agents()
        .probe_agent(EngineFixture::acting_user(), scene.ada)
        .await
        .expect("it is there");
    assert_eq!(found.login, Some(LoginState::SignedIn));
    assert!(!scene.waits_for_login().await);
    assert_eq!(scene.dispatch().await, 6);
    assert!(!scene.states().await.contains(&"todo".to_owned()), "{:?}", scene.states().await);
}

#[tokio::test]
async fn issue_13_12_resuming_or_changing_the_agent_ends_the_wait() {
    let scene = scene().await;
    scene.queue_all().await;
    scene.dispatch().await;
    let engine = scene.world.engine();
    assert!(scene.waits_for_login().await);
    engine.agents().pause_agent(EngineFixture::acting_user(), scene.ada, false).await.unwrap();
    assert!(!scene.waits_for_login().await);
    scene.dispatch().await;
    assert!(scene.waits_for_login().await, "it was asked again, and is still not signed in");
    let version = engine.records().agent(scene.ada).await.unwrap().version;
    let mut executor = claude(CLAUDE);
    executor["environment"] = json!({ "ANTHROPIC_API_KEY": "sk-1" });
    let patch = AgentChange { version, executor: Some(executor), ..AgentChange::default() };
    engine.agents().update_agent(EngineFixture::acting_user(), scene.ada, patch).await.unwrap();
    assert!(!scene.waits_for_login().await, "it has a key now");
}

#[tokio::test]
async fn issue_13_12_another_agent_takes_the_requeued_tasks() {
    let scene = scene().await;
    let script = r#"cat > /dev/null; echo work > "$FORGE_TASK_ID""#;
    let shell = json!({ "kind": "shell", "command": ["sh", "-c", script] });
    scene.queue_all().await;
    scene.dispatch().await;
    let ben = agent(&scene.world, "ben", shell, None).await;
    assert_eq!(scene.dispatch().await, 6);
    let engine = scene.world.engine();
    for task in &scene.tasks {
        let runs = tables::executions::list_of_task(engine.db(), *task).await.unwrap();
        assert_eq!(runs.last().and_then(|run| run.agent_id), Some(ben));
    }
}

#[tokio::test]
async fn issue_13_12_the_fallback_continues_at_once() {
    let scene = scene().await;
    let script = r#"cat > /dev/null; echo work > "$FORGE_TASK_ID""#;
    let shell = json!({ "kind": "shell", "command": ["sh", "-c", script] });
    let ben = agent(&scene.world, "ben", shell, None).await;
    let eve = agent(&scene.world, "eve", claude(CLAUDE), Some(ben)).await;
    let engine = scene.world.engine();
    let task =
        scene.world.task(scene.project, EngineFixture::task_request("Fall back")).await.unwrap();
    scene.world.claim(task, eve).await.expect("claimed");
    engine.drain().await.expect("carried out");
    let now = engine.records().task(task).await.unwrap();
    assert_eq!(now.handoffs.len(), 1);
    assert!(now.handoffs[0].message.contains("not signed in"), "{}", now.handoffs[0].message);
    let runs = tables::executions::list_of_task(engine.db(), task).await.unwrap();
    let by: Vec<_> = runs.iter().filter_map(|run| run.agent_id).collect();
    assert_eq!(by, [eve, ben]);
    assert_eq!(now.roles.values().next(), Some(&Assignee::Agent { id: ben }));
}
