//! The real `claude` and `codex` against a stand-in for their model's API: no network, a private home.
//! `make test-agents` installs them and says where they are (`FORGE_TEST_AGENTS`).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout
)]

mod stand_in;

use forge_agent::{Body, Event, Executor, Parser, Place, Prompt, Source, Turn, TurnSummary, Word};
use forge_domain::{Ending, FailureClass, Timestamp};
use forge_proc::Mark;
use serde_json::{Value, json};
use stand_in::{Play, StandIn};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A repository, a home and an agent in it.
struct Scene {
    directory: TempDir,
    executor: Executor,
    environment: Vec<(OsString, OsString)>,
}

impl Scene {
    async fn new(executor: Value, environment: &[(&str, String)]) -> Self {
        let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a directory");
        for part in ["home/.codex", "work"] {
            std::fs::create_dir_all(directory.path().join(part)).expect("a directory");
        }
        let agents = std::env::var("FORGE_TEST_AGENTS").expect("run by `make test-agents`");
        let path = std::env::var("PATH").unwrap_or_default();
        let home = directory.path().join("home");
        let mut variables: Vec<(OsString, OsString)> = vec![
            ("PATH".into(), format!("{agents}:{path}").into()),
            ("HOME".into(), home.clone().into()),
            ("CODEX_HOME".into(), home.join(".codex").into()),
        ];
        variables.extend(environment.iter().map(|(name, value)| ((*name).into(), value.into())));
        let executor = Executor::from_json(&executor).expect("is complete");
        let scene = Self { directory, executor, environment: variables };
        let git = forge_proc::Invocation::new("git", scene.work())
            .args(["init", "--quiet"])
            .envs(scene.environment.clone());
        let limits = forge_proc::CaptureLimits {
            stdout: 1 << 16,
            stderr: 1 << 16,
            deadline: std::time::Duration::from_secs(60),
        };
        forge_proc::capture(git, limits).await.expect("git is there");
        scene
    }

    fn work(&self) -> PathBuf {
        self.directory.path().join("work")
    }

    async fn turn(
        &self,
        name: &str,
        words: &str,
        session: Option<&Word>,
    ) -> (Vec<Event>, TurnSummary) {
        let prompt = Prompt::follow_up(words);
        let prompt_file = self.directory.path().join("prompt");
        std::fs::write(&prompt_file, prompt.as_str()).expect("is written");
        let log = self.directory.path().join(format!("{name}.log"));
        let place = Place {
            directory: &self.work(),
            prompt_file: &prompt_file,
            log: log.clone(),
            log_cap: 64 << 20,
            mark: Mark::new(format!("real-{name}-{}", std::process::id())).expect("is a mark"),
            environment: self.environment.clone(),
            adoptable: false,
        };
        let turn = match session {
            Some(session) => {
                Turn::resume(&self.executor, session, &prompt, place).expect("can resume")
            }
            None => Turn::new(&self.executor, &prompt, place),
        };
        let running = forge_proc::spawn(turn.0).await.expect("starts");
        let ended = running.wait(&CancellationToken::new()).await;
        let ending = match ended.ending {
            forge_proc::Ending::Exited(code) => Ending::Exited { code },
            forge_proc::Ending::Signalled(signal) => Ending::Signalled { signal },
            forge_proc::Ending::TimedOut => Ending::TimedOut,
            forge_proc::Ending::Stopped => Ending::Stopped,
        };
        let printed = std::fs::read(&log).expect("a log");
        record(name, self.directory.path(), &printed);
        let mut events = Vec::new();
        let mut parser = Parser::new(self.executor.adapter());
        parser.feed(Source::Stdout, &printed, &mut |event| events.push(event));
        let summary =
            parser.finish(ending, Timestamp::from_millis(0), &mut |event| events.push(event));
        println!("{}", String::from_utf8_lossy(&printed));
        println!("{ending:?} {summary:#?}");
        (events, summary)
    }
}

/// Keeps a stream for the normal suite, without this machine's paths.
fn record(name: &str, directory: &Path, printed: &[u8]) {
    let Ok(kept) = std::env::var("FORGE_TEST_RECORD") else { return };
    let directory = directory.to_str().expect("is text");
    let mut text = String::from_utf8_lossy(printed).replace(directory, "/scene");
    let dashed: String =
        directory.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    text = text.replace(&dashed, "-scene");
    text = text.replace(std::env::temp_dir().to_str().expect("is text"), "/temporary");
    std::fs::create_dir_all(&kept).expect("a directory");
    std::fs::write(Path::new(&kept).join(format!("{name}.jsonl")), text).expect("is written");
}

fn tools(events: &[Event]) -> usize {
    events.iter().filter(|event| matches!(event.body, Body::ToolResult { .. })).count()
}

async fn claude(play: Play, policy: &str) -> (StandIn, Scene) {
    let stand_in = StandIn::start(play).await;
    let environment = [
        ("ANTHROPIC_BASE_URL", stand_in.url()),
        ("ANTHROPIC_API_KEY", "sk-ant-stand-in".to_owned()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        ("CLAUDE_CODE_MAX_RETRIES", "0".to_owned()),
    ];
    let scene = Scene::new(
        json!({ "kind": "claude", "policy": policy, "timeout_seconds": 120 }),
        &environment,
    )
    .await;
    (stand_in, scene)
}

async fn codex(play: Play, policy: &str) -> (StandIn, Scene) {
    let stand_in = StandIn::start(play).await;
    let provider = format!(
        "model_providers.standin={{name=\"standin\",base_url=\"{}/v1\",wire_api=\"responses\",env_key=\"STANDIN_KEY\",request_max_retries=0,stream_max_retries=0}}",
        stand_in.url()
    );
    let executor = json!({
        "kind": "codex",
        "policy": policy,
        "model": "gpt-5",
        "timeout_seconds": 120,
        "arguments": ["-c", provider, "-c", "model_provider=\"standin\""],
    });
    let scene = Scene::new(executor, &[("STANDIN_KEY", "stand-in".to_owned())]).await;
    (stand_in, scene)
}

async fn works(name: &str, (stand_in, scene): (StandIn, Scene)) {
    let (events, summary) = scene.turn(&format!("{name}-work"), "Write answer.txt", None).await;
    assert_eq!(summary.failure, None);
    let written =
        std::fs::read_to_string(scene.work().join("answer.txt")).expect("the agent wrote it");
    assert_eq!(written.trim(), "forty-two");
    assert!(tools(&events) >= 1, "the tool is in the log: {events:?}");
    assert!(summary.final_text.contains("answer.txt is written"), "{}", summary.final_text);
    assert_eq!(summary.verdict, Some(forge_domain::Verdict::Pass { feedback: None }));
    assert!(summary.usage.output_tokens > 0, "{:?}", summary.usage);
    let session = summary.session.expect("can be continued");

    let (_, again) =
        scene.turn(&format!("{name}-resume"), "And the second message", Some(&session)).await;
    assert_eq!(again.failure, None);
    assert_eq!(again.session.as_ref(), Some(&session));
    let asked = stand_in.last_request();
    assert!(asked.contains("Write answer.txt"), "the model sees the first turn again");
    assert!(asked.contains("And the second message"));
}

async fn out_of_quota(name: &str, (_stand_in, scene): (StandIn, Scene)) {
    let (_, summary) = scene.turn(&format!("{name}-quota"), "Write answer.txt", None).await;
    let failure = summary.failure.expect("failed");
    assert_eq!(failure.class, FailureClass::Quota, "{failure:?}");
}

async fn not_let_in(name: &str, (_stand_in, scene): (StandIn, Scene)) {
    let (_, summary) = scene.turn(&format!("{name}-auth"), "Write answer.txt", None).await;
    let failure = summary.failure.expect("failed");
    assert_eq!(failure.class, FailureClass::Auth, "{failure:?}");
}

/// Nobody answers questions: what the policy does not allow does not happen.
async fn only_plans(name: &str, (_stand_in, scene): (StandIn, Scene)) {
    scene.turn(&format!("{name}-plan"), "Write answer.txt", None).await;
    assert!(!scene.work().join("answer.txt").exists(), "it was only to plan");
}

#[tokio::test]
async fn e_1_claude_only_plans() {
    only_plans("claude", claude(Play::Work, "plan").await).await;
}

#[tokio::test]
async fn e_1_codex_only_plans() {
    only_plans("codex", codex(Play::Work, "plan").await).await;
}

/// Claude Code refuses this policy to root, and Forge does not talk it out of it: the refusal is what the person reads.
#[tokio::test]
async fn e_1_claude_with_full_permission_works_or_says_why_not() {
    use std::os::unix::fs::MetadataExt as _;
    let (stand_in, scene) = claude(Play::Work, "full").await;
    if std::fs::metadata("/proc/self").expect("is there").uid() != 0 {
        return works("claude-full", (stand_in, scene)).await;
    }
    let (_, summary) = scene.turn("claude-full-root", "Write answer.txt", None).await;
    let failure = summary.failure.expect("is refused");
    assert!(failure.message.contains("root"), "{failure:?}");
}

#[tokio::test]
async fn e_1_claude_edits_a_file_answers_and_resumes() {
    works("claude", claude(Play::Work, "edit").await).await;
}

#[tokio::test]
async fn e_9_claude_out_of_quota() {
    out_of_quota("claude", claude(Play::Quota, "edit").await).await;
}

#[tokio::test]
async fn e_9_claude_without_a_login() {
    not_let_in("claude", claude(Play::Auth, "edit").await).await;
}

#[tokio::test]
async fn e_1_codex_edits_a_file_answers_and_resumes() {
    works("codex", codex(Play::Work, "full").await).await;
}

#[tokio::test]
async fn e_9_codex_out_of_quota() {
    out_of_quota("codex", codex(Play::Quota, "full").await).await;
}

#[tokio::test]
async fn e_9_codex_without_a_login() {
    not_let_in("codex", codex(Play::Auth, "full").await).await;
}
