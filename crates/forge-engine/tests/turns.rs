//! Agents' programs of other kinds than a plain command (E-1): what they are called with, and what comes of what they
//! print: events (E-5), sessions (E-7), usage (E-8) and allowances (E-9). The programs are scripts that print what the
//! real ones were recorded to print.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::AnnotationType;
use forge_domain::{AgentId, ExecutionId, FailureClass, TaskId};
use forge_engine::{Clock, EngineError, EventPart, NewAgent};
use forge_store::tables::{self, executions::Execution};
use forge_testkit::world::World;
use serde_json::{Value, json};

/// Prints a turn of `claude`; what it was called with goes to a file.
const CLAUDE: &str = r#"
cat >> "$HOME/prompts"
printf '%s\n' "$*" >> "$HOME/calls"
echo "$RANDOM" >> work.txt
echo '{"type":"system","subtype":"init","session_id":"5e55-10"}'
echo '{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"the key is '"$MY_API_KEY"'"}],"usage":{"input_tokens":10,"output_tokens":5}},"session_id":"5e55-10"}'
echo 'not json'
echo '{"type":"result","subtype":"success","is_error":false,"result":"all done","session_id":"5e55-10","total_cost_usd":0.25,"usage":{"input_tokens":100,"cache_read_input_tokens":20,"output_tokens":7}}'
"#;

async fn agent(world: &World, executor: Value) -> Result<AgentId, EngineError> {
    let asked = NewAgent {
        name: "ada".to_owned(),
        executor,
        roles: Vec::new(),
        max_concurrent: 2,
        ephemeral: false,
        fallback: None,
    };
    Ok(world.engine().create_agent(World::person(), asked).await?.id)
}

fn claude(script: &str) -> Value {
    json!({
        "kind": "claude",
        "command": ["sh", "-c", script, "claude"],
        "policy": "plan",
        "model": "opus",
        "environment": { "MY_API_KEY": "tell-nobody-1234" },
    })
}

async fn worked(world: &World, executor: Value) -> (TaskId, AgentId) {
    let project = world.board().await;
    let agent = agent(world, executor).await.expect("it is taken");
    let task = world.task(project, World::titled("Work")).await.expect("a task");
    world.claim(task, agent).await.expect("claimed");
    world.engine().drain().await.expect("carried out");
    (task, agent)
}

async fn runs(world: &World, task: TaskId) -> Vec<Execution> {
    tables::executions::list_of_task(world.engine().db(), task).await.expect("executions")
}

async fn events(world: &World, execution: ExecutionId, part: EventPart) -> Vec<Value> {
    let page = world.engine().read_events(execution, part, 100).await.expect("a page");
    page.events.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[tokio::test]
async fn e_1_the_adapter_calls_the_program_and_its_stream_becomes_the_result() {
    let world = World::new().await;
    let (task, agent) = worked(&world, claude(CLAUDE)).await;
    let run = runs(&world, task).await.remove(0);
    let outcome = run.outcome.clone().expect("it is over");
    assert_eq!(outcome.tail, "all done", "the answer, not the stream");
    assert_eq!(run.session.as_deref(), Some("5e55-10"));
    let usage = outcome.told.usage.expect("it was told");
    assert_eq!((usage.output_tokens, usage.cost_micro_usd), (7, Some(250_000)));
    let calls = world.lines("calls");
    assert_eq!(
        calls,
        ["-p --output-format stream-json --verbose --permission-mode plan --model opus"]
    );
    assert!(world.lines("prompts")[0].contains("Work"), "the prompt came on standard input");
    let used = tables::usage::of_agent(world.engine().db(), agent, None).await.expect("sums");
    assert_eq!((used.executions, used.usage), (1, usage));
}

#[tokio::test]
async fn e_5_the_log_is_numbered_events_without_secrets_and_compressed_at_the_end() {
    let world = World::new().await;
    let (task, _) = worked(&world, claude(CLAUDE)).await;
    let id = runs(&world, task).await[0].id;
    let all = events(&world, id, EventPart::After(0)).await;
    let kinds: Vec<_> = all.iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds[..5], ["session", "status", "thinking", "assistant", "usage"]);
    assert!(kinds.contains(&"stdout"), "{kinds:?}");
    let numbers: Vec<_> = all.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=all.len() as u64).collect::<Vec<_>>());
    assert_eq!(all[3]["text"], "the key is [redacted]");
    assert_eq!(events(&world, id, EventPart::After(3)).await, all[3..]);
    assert_eq!(events(&world, id, EventPart::Last(2)).await, all[all.len() - 2..]);
    let page = world.engine().read_events(id, EventPart::After(0), 2).await.expect("a page");
    assert_eq!((page.events.len(), page.last, page.more), (2, 2, true));
    let raw = world.engine().read_output(id, 0, 1 << 20).await.expect("the output");
    let text = String::from_utf8(raw.clone()).expect("text");
    assert!(text.contains("[redacted]") && !text.contains("tell-nobody"), "{text}");
    assert_eq!(world.engine().output_size(id).await, raw.len() as u64);
    assert_eq!(world.engine().read_output(id, 5, 7).await.expect("a part"), raw[5..12]);
    let logs = world.home().join("data/logs");
    let names = std::fs::read_dir(logs).expect("logs").flatten();
    let mut names: Vec<_> = names.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, [format!("{id}.jsonl.zst"), format!("{id}.raw.zst")]);
}

#[tokio::test]
async fn e_7_a_follow_up_resumes_the_session_in_the_same_workspace() {
    let world = World::new().await;
    let failing = format!("{CLAUDE}\n[ \"$(wc -l < work.txt)\" -gt 1 ] || exit 3");
    let (task, _) = worked(&world, claude(&failing)).await;
    let first = runs(&world, task).await.remove(0);
    let place = world.directory(task).await;
    let engine = world.engine();
    let empty = engine.follow_up(World::person(), first.id, " ".to_owned()).await;
    assert!(matches!(empty, Err(EngineError::InvalidField { field: "message", .. })), "{empty:?}");
    let message = "- and now the tests".to_owned();
    engine.follow_up(World::person(), first.id, message).await.expect("it is taken");
    engine.drain().await.expect("carried out");
    let calls = world.lines("calls");
    assert!(calls[1].contains("--resume 5e55-10"), "{calls:?}");
    assert_eq!(world.lines("prompts").last().map(String::as_str), Some("- and now the tests"));
    assert_eq!(world.directory(task).await, place);
    assert_eq!(runs(&world, task).await.len(), 2);
}

#[tokio::test]
async fn e_9_a_rate_limit_makes_the_agent_wait_and_go_on_by_itself() {
    let world = World::new().await;
    let back = world.clock.now().plus_seconds(3600);
    let script = format!(
        r#"if [ -e "$HOME/again" ]; then {CLAUDE}
exit 0; fi
touch "$HOME/again"
echo '{{"type":"rate_limit_event","rate_limit_info":{{"status":"rejected","resetsAt":{}}}}}'
echo '{{"type":"result","subtype":"success","is_error":true,"result":"You have hit your limit","session_id":"5e55-10"}}'
exit 1"#,
        back.millis() / 1000
    );
    let (task, _) = worked(&world, claude(&script)).await;
    let waiting = world.now(task).await;
    assert_eq!(waiting.state.as_str(), "in_progress");
    assert_eq!(waiting.annotation.map(|note| note.kind), Some(AnnotationType::QuotaWait));
    let first = runs(&world, task).await.remove(0).outcome.expect("it is over");
    assert_eq!(first.told.failure.map(|failure| failure.class), Some(FailureClass::Quota));
    let why = world.engine().why(task).await.expect("an answer");
    let words: Vec<_> = why.reasons.iter().map(ToString::to_string).collect();
    assert!(words[0].starts_with("ada is waiting for quota, for another 60 min"), "{words:?}");
    world.clock.advance_to(back.plus_seconds(1));
    world.engine().drain().await.expect("carried out");
    let now = world.now(task).await;
    assert_ne!(now.state.as_str(), "in_progress", "it went on");
    assert!(now.annotation.is_none(), "{:?}", now.annotation);
    assert_eq!(runs(&world, task).await.len(), 2);
}

#[tokio::test]
async fn e_1_a_wrong_executor_is_refused_with_its_field() {
    let world = World::new().await;
    let refused = agent(&world, json!({ "kind": "amp", "policy": "plan" })).await;
    let Err(EngineError::InvalidField { field: "executor", problem }) = refused else {
        panic!("{refused:?}");
    };
    assert!(problem.contains("`policy`"), "{problem}");
}

/// A program that complains of its login fails although it ends well, and the words are shown.
#[tokio::test]
async fn e_1_what_a_program_reports_as_an_error_is_one() {
    let world = World::new().await;
    let script = r#"cat > /dev/null
echo '{"type":"result","subtype":"success","is_error":true,"result":"Invalid API key · Please run /login","session_id":"5e55-10"}'"#;
    let (task, _) = worked(&world, claude(script)).await;
    let note = world.now(task).await.annotation.expect("noted");
    assert_eq!(note.kind, AnnotationType::ExecutionFailed);
    assert!(note.message.contains("not signed in (Invalid API key"), "{}", note.message);
}

/// E-5: what agents know is not shown by the checks of their work either, nor what a setup knows by its log.
#[tokio::test]
async fn e_5_logs_of_checks_and_setups_are_without_secrets() {
    let world = World::new().await;
    let setup = json!({ "commands": ["echo deploy with $DEPLOY_TOKEN"], "env": { "DEPLOY_TOKEN": "hush-hush-99" } });
    let settings = json!({ "setup": setup });
    let project =
        world.project_with("Board", World::workflow("default"), settings).await.expect("a project");
    let agent = agent(&world, claude(&format!("{CLAUDE}\necho \"$MY_API_KEY\" > key.txt")))
        .await
        .expect("taken");
    let mut asked = World::titled("Work");
    let ci_steps = vec![
        "cat key.txt; printf 'tell-nobody'; printf -- '-1234\\n'; echo $DEPLOY_TOKEN".to_owned(),
    ];
    asked.review_config = Some(forge_domain::task::ReviewConfig { ci_steps, ..Default::default() });
    let task = world.task(project, asked).await.expect("a task");
    world.claim(task, agent).await.expect("claimed");
    world.engine().drain().await.expect("carried out");
    let review =
        tables::reviews::list_of_task(world.engine().db(), task).await.expect("reviews").remove(0);
    let shown = "[redacted]\n[redacted]\n[redacted]\n";
    let home = world.engine().home();
    assert_eq!(std::fs::read_to_string(home.log(review.id.uuid())).expect("a log"), shown);
    assert_eq!(review.results[0].output_tail, shown);
    let log = std::fs::read_to_string(home.log(task.uuid())).expect("a log");
    assert!(log.ends_with("deploy with [redacted]\n") && !log.contains("hush"), "{log}");
    let left = std::fs::read_dir(home.root().join("logs")).expect("logs").flatten();
    let parts = left.filter(|entry| entry.path().extension().is_some_and(|end| end == "part"));
    assert_eq!(parts.count(), 0, "nothing is left as it came");
}

/// M-4: who is sent back hears why in the conversation in which the work was done.
#[tokio::test]
async fn m_4_a_rejection_goes_on_with_the_coders_conversation() {
    let world = World::new().await;
    let project = world.board().await;
    let agent = agent(&world, claude(CLAUDE)).await.expect("it is taken");
    let check = "echo too few; [ $(wc -l < work.txt) -gt 1 ]";
    let task = world.task(project, World::checked("Work", &[check])).await.expect("a task");
    world.claim(task, agent).await.expect("claimed");
    world.engine().drain().await.expect("carried out");
    let now = world.now(task).await;
    assert!(now.review_passed_at.is_some(), "{:?}", now.annotation);
    let calls = world.lines("calls");
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(!calls[0].contains("--resume") && calls[1].contains("--resume 5e55-10"), "{calls:?}");
    let told = world.lines("prompts").join("\n");
    assert!(told.contains("did not pass") && told.contains("too few"), "{told}");
}
