//! The real agent programs against a fake model API: no network, a private home directory. `make test-agents`
//! installs them and sets `FORGE_TEST_AGENTS`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout
)]

mod stand_in;

use forge_agent::{
    AgentLaunch, AgentPrompt, ExecutionSummary, ExecutorConfig, LaunchSettings, SafeArgument,
    StreamParser, StreamSource, TranscriptEvent, TranscriptEventBody,
};
use forge_domain::{ExecutionEnding, FailureClass, Timestamp};
use forge_proc::ProcessMark;
use serde_json::{Value, json};
use stand_in::{ApiScenario, FakeModelApi};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// A repository, a home directory and an agent.
struct AgentFixture {
    directory: TempDir,
    executor: ExecutorConfig,
    environment: Vec<(OsString, OsString)>,
}

impl AgentFixture {
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
        let executor = ExecutorConfig::from_json(&executor).expect("is complete");
        let scene = Self { directory, executor, environment: variables };
        let git = forge_proc::ProgramInvocation::new("git", scene.work())
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
        session: Option<&SafeArgument>,
    ) -> (Vec<TranscriptEvent>, ExecutionSummary) {
        let prompt = AgentPrompt::follow_up(words);
        let prompt_file = self.directory.path().join("prompt");
        std::fs::write(&prompt_file, prompt.as_str()).expect("is written");
        let log = self.directory.path().join(format!("{name}.log"));
        let place = LaunchSettings {
            directory: &self.work(),
            prompt_file: &prompt_file,
            log: log.clone(),
            log_cap: 64 << 20,
            mark: ProcessMark::new(format!("real-{name}-{}", std::process::id()))
                .expect("is a mark"),
            environment: self.environment.clone(),
            adoptable: false,
        };
        let turn = match session {
            Some(session) => {
                AgentLaunch::resume(&self.executor, session, &prompt, place).expect("can resume")
            }
            None => AgentLaunch::new(&self.executor, &prompt, place),
        };
        let running = forge_proc::spawn(turn.0).await.expect("starts");
        let ended = running.wait(&CancellationToken::new()).await;
        let ending = match ended.ending {
            forge_proc::ProcessEnding::Exited(code) => ExecutionEnding::Exited { code },
            forge_proc::ProcessEnding::Signalled(signal) => ExecutionEnding::Signalled { signal },
            forge_proc::ProcessEnding::TimedOut => ExecutionEnding::TimedOut,
            forge_proc::ProcessEnding::Stopped => ExecutionEnding::Stopped,
        };
        let printed = std::fs::read(&log).expect("a log");
        record(name, self.directory.path(), &printed);
        let mut events = Vec::new();
        let mut parser = StreamParser::new(self.executor.adapter());
        parser.feed(StreamSource::Stdout, &printed, &mut |event| events.push(event));
        let summary =
            parser.finish(ending, Timestamp::from_millis(0), &mut |event| events.push(event));
        println!("{}", String::from_utf8_lossy(&printed));
        println!("{ending:?} {summary:#?}");
        (events, summary)
    }
}

/// Saves a stream for the normal test suite, without the paths of this machine.
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

fn tools(events: &[TranscriptEvent]) -> usize {
    events
        .iter()
        .filter(|event| matches!(event.body, TranscriptEventBody::ToolResult { .. }))
        .count()
}

async fn claude(play: ApiScenario, policy: &str) -> (FakeModelApi, AgentFixture) {
    let stand_in = FakeModelApi::start(play).await;
    let environment = [
        ("ANTHROPIC_BASE_URL", stand_in.url()),
        ("ANTHROPIC_API_KEY", "sk-ant-stand-in".to_owned()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        ("CLAUDE_CODE_MAX_RETRIES", "0".to_owned()),
    ];
    let scene = AgentFixture::new(
        json!({ "kind": "claude", "policy": policy, "timeout_seconds": 120 }),
        &environment,
    )
    .await;
    (stand_in, scene)
}

async fn codex(play: ApiScenario, policy: &str) -> (FakeModelApi, AgentFixture) {
    let stand_in = FakeModelApi::start(play).await;
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
    let scene = AgentFixture::new(executor, &[("STANDIN_KEY", "stand-in".to_owned())]).await;
    (stand_in, scene)
}

async fn opencode(play: ApiScenario, policy: &str) -> (FakeModelApi, AgentFixture) {
    let stand_in = FakeModelApi::start(play).await;
    let options = json!({ "baseURL": format!("{}/v1", stand_in.url()), "apiKey": "sk-stand-in" });
    let provider = json!({ "npm": "@ai-sdk/openai-compatible", "name": "standin", "options": options,
        "models": { "m": { "name": "m" } } });
    let config = json!({ "provider": { "standin": provider }, "model": "standin/m", "small_model": "standin/m" });
    let environment = [
        ("OPENCODE_CONFIG_CONTENT", config.to_string()),
        ("OPENCODE_DISABLE_MODELS_FETCH", "1".to_owned()),
    ];
    let executor = json!({ "kind": "opencode", "policy": policy, "timeout_seconds": 240 });
    let scene = AgentFixture::new(executor, &environment).await;
    (stand_in, scene)
}

async fn gemini(play: ApiScenario, policy: &str) -> (FakeModelApi, AgentFixture) {
    let stand_in = FakeModelApi::start(play).await;
    let environment =
        [("GOOGLE_GEMINI_BASE_URL", stand_in.url()), ("GEMINI_API_KEY", "stand-in".to_owned())];
    // A named model avoids the request that chooses one.
    let executor = json!({ "kind": "gemini", "policy": policy, "model": "gemini-2.5-pro", "timeout_seconds": 240 });
    let scene = AgentFixture::new(executor, &environment).await;
    let settings = scene.directory.path().join("home/.gemini");
    std::fs::create_dir_all(&settings).expect("a directory");
    let chosen = json!({ "security": { "auth": { "selectedType": "gemini-api-key" } } });
    std::fs::write(settings.join("settings.json"), chosen.to_string()).expect("is written");
    (stand_in, scene)
}

async fn qwen(play: ApiScenario, policy: &str) -> (FakeModelApi, AgentFixture) {
    let stand_in = FakeModelApi::start(play).await;
    let environment = [
        ("OPENAI_BASE_URL", format!("{}/v1", stand_in.url())),
        ("OPENAI_API_KEY", "sk-stand-in".to_owned()),
        ("OPENAI_MODEL", "stand-in".to_owned()),
    ];
    let executor = json!({ "kind": "qwen", "policy": policy, "timeout_seconds": 240,
        "arguments": ["--auth-type", "openai"] });
    let scene = AgentFixture::new(executor, &environment).await;
    (stand_in, scene)
}

async fn assert_works(name: &str, (stand_in, scene): (FakeModelApi, AgentFixture)) {
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

async fn assert_out_of_quota(name: &str, (_stand_in, scene): (FakeModelApi, AgentFixture)) {
    let (_, summary) = scene.turn(&format!("{name}-quota"), "Write answer.txt", None).await;
    let failure = summary.failure.expect("failed");
    assert_eq!(failure.class, FailureClass::Quota, "{failure:?}");
}

async fn assert_not_signed_in(name: &str, (_stand_in, scene): (FakeModelApi, AgentFixture)) {
    let (_, summary) = scene.turn(&format!("{name}-auth"), "Write answer.txt", None).await;
    let failure = summary.failure.expect("failed");
    assert_eq!(failure.class, FailureClass::Auth, "{failure:?}");
}

/// No user answers permission requests: actions outside the policy do not happen.
async fn assert_only_plans(name: &str, (_stand_in, scene): (FakeModelApi, AgentFixture)) {
    scene.turn(&format!("{name}-plan"), "Write answer.txt", None).await;
    assert!(!scene.work().join("answer.txt").exists(), "it was only to plan");
}

/// A command outside the policy is refused, and the refusal is recorded.
async fn assert_runs_no_command(
    name: &str,
    (_stand_in, scene): (FakeModelApi, AgentFixture),
) -> ExecutionSummary {
    let (_, summary) = scene.turn(&format!("{name}-command"), "Write answer.txt", None).await;
    assert!(!scene.work().join("answer.txt").exists(), "no command was to run");
    assert!(!scene.directory.path().join("outside.txt").exists(), "not outside of the worktree");
    summary
}

#[tokio::test]
async fn issue_13_14_claude_with_edit_runs_no_command() {
    let summary =
        assert_runs_no_command("claude-edit", claude(ApiScenario::Command, "edit").await).await;
    assert_eq!(summary.refused.first().map(|refused| refused.tool.as_str()), Some("Bash"));
}

#[tokio::test]
async fn issue_13_14_claude_with_plan_runs_no_command() {
    assert_runs_no_command("claude-plan", claude(ApiScenario::Command, "plan").await).await;
}

/// Codex implements `edit` with a sandbox: commands run, but change nothing outside of the worktree.
#[tokio::test]
async fn issue_13_14_codex_changes_nothing_outside() {
    for policy in ["plan", "edit"] {
        assert_runs_no_command(
            &format!("codex-{policy}"),
            codex(ApiScenario::Command, policy).await,
        )
        .await;
    }
}

#[tokio::test]
async fn issue_13_10_opencode_with_plan_runs_no_command() {
    let summary =
        assert_runs_no_command("opencode-plan", opencode(ApiScenario::Command, "plan").await).await;
    assert_eq!(summary.refused.first().map(|refused| refused.tool.as_str()), Some("bash"));
}

#[tokio::test]
async fn issue_13_10_opencode_with_edit_runs_no_command() {
    let summary =
        assert_runs_no_command("opencode-edit", opencode(ApiScenario::Command, "edit").await).await;
    assert_eq!(summary.refused.first().map(|refused| refused.tool.as_str()), Some("bash"));
}

#[tokio::test]
async fn issue_13_14_gemini_runs_no_command() {
    for policy in ["plan", "edit"] {
        assert_runs_no_command(
            &format!("gemini-{policy}"),
            gemini(ApiScenario::Command, policy).await,
        )
        .await;
    }
}

#[tokio::test]
async fn issue_13_14_qwen_runs_no_command() {
    for policy in ["plan", "edit"] {
        assert_runs_no_command(&format!("qwen-{policy}"), qwen(ApiScenario::Command, policy).await)
            .await;
    }
}

#[tokio::test]
async fn issue_13_14_opencode_edits_a_file_answers_and_resumes() {
    assert_works("opencode", opencode(ApiScenario::Work, "edit").await).await;
}

#[tokio::test]
async fn issue_13_14_gemini_edits_a_file_answers_and_resumes() {
    assert_works("gemini", gemini(ApiScenario::Work, "edit").await).await;
}

#[tokio::test]
async fn issue_13_14_qwen_edits_a_file_answers_and_resumes() {
    assert_works("qwen", qwen(ApiScenario::Work, "edit").await).await;
}

#[tokio::test]
async fn issue_13_14_opencode_gemini_and_qwen_only_plan() {
    assert_only_plans("opencode", opencode(ApiScenario::Work, "plan").await).await;
    assert_only_plans("gemini", gemini(ApiScenario::Work, "plan").await).await;
    assert_only_plans("qwen", qwen(ApiScenario::Work, "plan").await).await;
}

#[tokio::test]
async fn issue_13_14_opencode_gemini_and_qwen_without_a_login() {
    assert_not_signed_in("opencode", opencode(ApiScenario::Auth, "edit").await).await;
    assert_not_signed_in("gemini", gemini(ApiScenario::Auth, "edit").await).await;
    assert_not_signed_in("qwen", qwen(ApiScenario::Auth, "edit").await).await;
}

#[tokio::test]
async fn e_1_claude_only_plans() {
    assert_only_plans("claude", claude(ApiScenario::Work, "plan").await).await;
}

#[tokio::test]
async fn e_1_codex_only_plans() {
    assert_only_plans("codex", codex(ApiScenario::Work, "plan").await).await;
}

/// Claude Code refuses this policy for root, and Forge does not work around it: the user sees the refusal.
#[tokio::test]
async fn e_1_claude_with_full_permission_works_or_reports_the_refusal() {
    use std::os::unix::fs::MetadataExt as _;
    let (stand_in, scene) = claude(ApiScenario::Work, "full").await;
    if std::fs::metadata("/proc/self").expect("is there").uid() != 0 {
        return assert_works("claude-full", (stand_in, scene)).await;
    }
    let (_, summary) = scene.turn("claude-full-root", "Write answer.txt", None).await;
    let failure = summary.failure.expect("is refused");
    assert!(failure.message.contains("root"), "{failure:?}");
}

#[tokio::test]
async fn e_1_claude_edits_a_file_answers_and_resumes() {
    assert_works("claude", claude(ApiScenario::Work, "edit").await).await;
}

#[tokio::test]
async fn e_9_claude_out_of_quota() {
    assert_out_of_quota("claude", claude(ApiScenario::Quota, "edit").await).await;
}

#[tokio::test]
async fn e_9_claude_without_a_login() {
    assert_not_signed_in("claude", claude(ApiScenario::Auth, "edit").await).await;
}

#[tokio::test]
async fn e_1_codex_edits_a_file_answers_and_resumes() {
    assert_works("codex", codex(ApiScenario::Work, "full").await).await;
}

#[tokio::test]
async fn e_9_codex_out_of_quota() {
    assert_out_of_quota("codex", codex(ApiScenario::Quota, "full").await).await;
}

#[tokio::test]
async fn e_9_codex_without_a_login() {
    assert_not_signed_in("codex", codex(ApiScenario::Auth, "full").await).await;
}
