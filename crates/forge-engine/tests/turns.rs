//! Agent programs other than a plain command (E-1): their arguments, and the result of their output: log events (E-5),
//! sessions (E-7), usage (E-8) and quotas (E-9). The programs are scripts that print recorded output of the real ones.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use forge_domain::task::AnnotationType;
use forge_domain::{AgentId, ExecutionId, FailureClass, TaskId};
use forge_engine::{AgentSpec, Clock, EngineError, TranscriptRange};
use forge_store::tables::{self, executions::ExecutionRow};
use forge_testkit::engine_fixture::EngineFixture;
use serde_json::{Value, json};

/// Prints a session of `claude`; its arguments go to a file.
const CLAUDE: &str = r#"
cat >> "$HOME/prompts"
printf '%s\n' "$*" >> "$HOME/calls"
echo "$RANDOM" >> work.txt
echo '{"type":"system","subtype":"init","session_id":"5e55-10"}'
echo '{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"the key is '"$MY_API_KEY"'"}],"usage":{"input_tokens":10,"output_tokens":5}},"session_id":"5e55-10"}'
echo 'not json'
echo '{"type":"result","subtype":"success","is_error":false,"result":"all done","session_id":"5e55-10","total_cost_usd":0.25,"usage":{"input_tokens":100,"cache_read_input_tokens":20,"output_tokens":7}}'
"#;

async fn agent(world: &EngineFixture, executor: Value) -> Result<AgentId, EngineError> {
    let asked = AgentSpec {
        name: "ada".to_owned(),
        executor,
        roles: Vec::new(),
        max_concurrent: 2,
        ephemeral: false,
        fallback: None,
    };
    Ok(world.engine().agents().create_agent(EngineFixture::acting_user(), asked).await?.id)
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

async fn worked(world: &EngineFixture, executor: Value) -> (TaskId, AgentId) {
    let project = world.board_project().await;
    let agent = agent(world, executor).await.expect("it is taken");
    let task = world.task(project, EngineFixture::task_request("Work")).await.expect("a task");
    world.claim(task, agent).await.expect("claimed");
    world.engine().drain().await.expect("carried out");
    (task, agent)
}

async fn runs(world: &EngineFixture, task: TaskId) -> Vec<ExecutionRow> {
    tables::executions::list_of_task(world.engine().db(), task).await.expect("executions")
}

async fn events(
    world: &EngineFixture,
    execution: ExecutionId,
    part: TranscriptRange,
) -> Vec<Value> {
    let page =
        world.engine().transcripts().read_events(execution, part, 100).await.expect("a page");
    page.events.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[tokio::test]
async fn e_1_the_adapter_calls_the_program_and_its_stream_becomes_the_result() {
    let world = EngineFixture::new().await;
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
    let world = EngineFixture::new().await;
    let (task, _) = worked(&world, claude(CLAUDE)).await;
    let id = runs(&world, task).await[0].id;
    let all = events(&world, id, TranscriptRange::After(0)).await;
    let kinds: Vec<_> = all.iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds[..5], ["session", "status", "thinking", "assistant", "usage"]);
    assert!(kinds.contains(&"stdout"), "{kinds:?}");
    let numbers: Vec<_> = all.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=all.len() as u64).collect::<Vec<_>>());
    assert_eq!(all[3]["text"], "the key is [redacted]");
    assert_eq!(events(&world, id, TranscriptRange::After(3)).await, all[3..]);
    assert_eq!(events(&world, id, TranscriptRange::Last(2)).await, all[all.len() - 2..]);
    let page = world
        .engine()
        .transcripts()
        .read_events(id, TranscriptRange::After(0), 2)
        .await
        .expect("a page");
    assert_eq!((page.events.len(), page.last, page.more), (2, 2, true));
    let raw = world.engine().transcripts().read_output(id, 0, 1 << 20).await.expect("the output");
    let text = String::from_utf8(raw.clone()).expect("text");
    assert!(text.contains("[redacted]") && !text.contains("tell-nobody"), "{text}");
    assert_eq!(world.engine().transcripts().output_size(id).await, raw.len() as u64);
    assert_eq!(
        world.engine().transcripts().read_output(id, 5, 7).await.expect("a part"),
        raw[5..12]
    );
    let logs = world.home().join("data/logs");
    let names = std::fs::read_dir(logs).expect("logs").flatten();
    let mut names: Vec<_> = names.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, [format!("{id}.jsonl.zst"), format!("{id}.raw.zst")]);
}

#[tokio::test]
async fn e_7_a_follow_up_resumes_the_session_in_the_same_workspace() {
    let world = EngineFixture::new().await;
    let failing = format!("{CLAUDE}\n[ \"$(wc -l < work.txt)\" -gt 1 ] || exit 3");
    let (task, _) = worked(&world, claude(&failing)).await;
    let first = runs(&world, task).await.remove(0);
    let place = world.workspace_dir(task).await;
    let engine = world.engine();
    let empty = engine
        .agent_messages()
        .follow_up(EngineFixture::acting_user(), first.id, " ".to_owned())
        .await;
    assert!(matches!(empty, Err(EngineError::InvalidField { field: "message", .. })), "{empty:?}");
    let message = "- and now the tests".to_owned();
    engine
        .agent_messages()
        .follow_up(EngineFixture::acting_user(), first.id, message)
        .await
        .expect("it is taken");
    engine.drain().await.expect("carried out");
    let calls = world.lines("calls");
    assert!(calls[1].contains("--resume 5e55-10"), "{calls:?}");
    assert_eq!(world.lines("prompts").last().map(String::as_str), Some("- and now the tests"));
    assert_eq!(world.workspace_dir(task).await, place);
    assert_eq!(runs(&world, task).await.len(), 2);
}

#[tokio::test]
async fn e_9_a_rate_limit_makes_the_agent_wait_and_then_continue() {
    let world = EngineFixture::new().await;
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
    let waiting = world.load_task(task).await;
    assert_eq!(waiting.state.as_str(), "in_progress");
    assert_eq!(waiting.annotation.map(|note| note.kind), Some(AnnotationType::QuotaWait));
    let first = runs(&world, task).await.remove(0).outcome.expect("it is over");
    assert_eq!(first.told.failure.map(|failure| failure.class), Some(FailureClass::Quota));
    let why = world.engine().dispatch().explain_wait(task).await.expect("an answer");
    let words: Vec<_> = why.reasons.iter().map(ToString::to_string).collect();
    assert!(words[0].starts_with("ada is waiting for quota, for another 60 min"), "{words:?}");
    world.clock.advance_to(back.plus_seconds(1));
    world.engine().drain().await.expect("carried out");
    let now = world.load_task(task).await;
    assert_ne!(now.state.as_str(), "in_progress", "it went on");
    assert!(now.annotation.is_none(), "{:?}", now.annotation);
    assert_eq!(runs(&world, task).await.len(), 2);
}

#[tokio::test]
async fn e_1_a_wrong_executor_is_refused_with_its_field() {
    let world = EngineFixture::new().await;
    let refused = agent(&world, json!({ "kind": "amp", "policy": "plan" })).await;
    let Err(EngineError::InvalidField { field: "executor", problem }) = refused else {
        panic!("{refused:?}");
    };
    assert!(problem.contains("`policy`"), "{problem}");
}

/// A program that reports an error fails although it exits with zero, and its message is shown.
#[tokio::test]
async fn e_1_an_error_that_a_program_reports_counts() {
    let world = EngineFixture::new().await;
    let script = r#"cat > /dev/null
echo '{"type":"result","subtype":"success","is_error":true,"result":"API Error: 500 internal","session_id":"5e55-10"}'"#;
    let (task, _) = worked(&world, claude(script)).await;
    let note = world.load_task(task).await.annotation.expect("noted");
    assert_eq!(note.kind, AnnotationType::ExecutionFailed);
    assert!(note.message.contains("said that it failed (API Error: 500"), "{}", note.message);
}

/// E-5: logs of checks and setups show neither the agents' secrets nor the setup's.
#[tokio::test]
async fn e_5_logs_of_checks_and_setups_are_without_secrets() {
    let world = EngineFixture::new().await;
    let setup = json!({ "commands": ["echo deploy with $DEPLOY_TOKEN"], "env": { "DEPLOY_TOKEN": "hush-hush-99" } });
    let settings = json!({ "setup": setup });
    let project = world
        .project_with("Board", EngineFixture::workflow("default"), settings)
        .await
        .expect("a project");
    let agent = agent(&world, claude(&format!("{CLAUDE}\necho \"$MY_API_KEY\" > key.txt")))
        .await
        .expect("taken");
    let mut asked = EngineFixture::task_request("Work");
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

/// M-4: a task that is sent back continues the session in which the work was done.
#[tokio::test]
async fn m_4_a_rejection_continues_the_coders_session() {
    let world = EngineFixture::new().await;
    let project = world.board_project().await;
    let agent = agent(&world, claude(CLAUDE)).await.expect("it is taken");
    let check = "echo too few; [ $(wc -l < work.txt) -gt 1 ]";
    let task = world
        .task(project, EngineFixture::checked_task_request("Work", &[check]))
        .await
        .expect("a task");
    world.claim(task, agent).await.expect("claimed");
    world.engine().drain().await.expect("carried out");
    let now = world.load_task(task).await;
    assert!(now.review_passed_at.is_some(), "{:?}", now.annotation);
    let calls = world.lines("calls");
    assert_eq!(calls.len(), 2, "{calls:?}");
    assert!(!calls[0].contains("--resume") && calls[1].contains("--resume 5e55-10"), "{calls:?}");
    let told = world.lines("prompts").join("\n");
    assert!(told.contains("did not pass") && told.contains("too few"), "{told}");
}

/// Runs four executions of one session, and returns their total: input tokens and millionths of a dollar.
async fn four_turns(kind: &str, cost: &str, tokens: &str) -> (u64, Option<u64>) {
    let world = EngineFixture::new().await;
    let script = format!(
        r#"cat > /dev/null
echo x >> "$HOME/turns"
turn=$(wc -l < "$HOME/turns")
echo "$turn" >> work.txt
echo '{{"type":"system","subtype":"init","session_id":"5e55-10"}}'
echo '{{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"5e55-10","total_cost_usd":'{cost}',"usage":{{"input_tokens":'{tokens}',"output_tokens":1}}}}'"#
    );
    let executor = json!({ "kind": kind, "command": ["sh", "-c", script, kind] });
    let (task, _) = worked(&world, executor).await;
    for _ in 0..3 {
        let last = runs(&world, task).await.pop().expect("an execution").id;
        let message = "go on".to_owned();
        world
            .engine()
            .agent_messages()
            .follow_up(EngineFixture::acting_user(), last, message)
            .await
            .expect("it is taken");
        world.engine().drain().await.expect("carried out");
    }
    assert_eq!(runs(&world, task).await.len(), 4);
    let used = tables::usage::of_task(world.engine().db(), task).await.expect("sums").usage;
    (used.input_tokens, used.cost_micro_usd)
}

#[tokio::test]
async fn issue_13_13_usage_per_session_is_counted_once() {
    let of_session = "$((turn * 100))";
    // Its cost is per session, its tokens are per execution.
    let claude = four_turns("claude", "0.$((turn * 2))", "100").await;
    assert_eq!(claude, (400, Some(800_000)));
    let qwen = four_turns("qwen", "null", of_session).await;
    assert_eq!(qwen, (400, None));
}
