//! The real agent programs in a real server, from a claim to main, with a follow-up in between (SPEC E-1, E-7, E-8).
//! Their model is a fake on this machine. `make test-agents` installs them and sets `FORGE_TEST_AGENTS`.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use std::path::PathBuf;

use serde_json::Value;
use tokio::runtime::Runtime;

#[allow(dead_code, reason = "the test suite of the programs uses more of it")]
#[path = "../../../forge-agent/tests/real_agents/stand_in.rs"]
mod stand_in;

use crate::forge::{CliUser, search_path};
use crate::serve::{TOKEN, TestServer};
use crate::walk::{git, repository, wait_until};
use stand_in::{ApiScenario, FakeModelApi};

struct RealAgentFixture {
    runtime: Runtime,
    model: FakeModelApi,
    serving: TestServer,
    user: CliUser,
    repo: PathBuf,
}

impl RealAgentFixture {
    fn new() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let model = runtime.block_on(FakeModelApi::start(ApiScenario::Work));
        let agents = std::env::var("FORGE_TEST_AGENTS").expect("run by `make test-agents`");
        let path = format!("{agents}:{}", search_path());
        let serving = TestServer::start(&[("FORGE_BOOTSTRAP_TOKEN", TOKEN), ("PATH", &path)]);
        let mut user = CliUser::at(serving.url());
        user.set("FORGE_TOKEN", TOKEN);
        let repo = repository(&user);
        let scene = Self { runtime, model, serving, user, repo };
        scene.run(&["init"]);
        scene.run(&["task", "new", "Write answer.txt", "--ci", "test -f answer.txt"]);
        scene
    }

    fn run(&self, arguments: &[&str]) -> String {
        let ended = self.user.run_in(&self.repo, arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {ended:?}");
        ended.out
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let arguments: Vec<_> = arguments.iter().copied().chain(["--json"]).collect();
        serde_json::from_str(&self.run(&arguments)).expect("one document")
    }

    /// Waits until the task has passed its gate with this many executions, or needs a person.
    fn wait_until_passed(&self, runs: u64) {
        let ended = wait_until(self.serving.url(), |task, executions| {
            let passed = task.review_passed_at.is_some() && executions as u64 >= runs;
            (passed || task.error_annotation.is_some()) && task.busy.is_none()
        });
        let log = self.run(&["task", "log", "T-1"]);
        assert_eq!(ended.error_annotation, None, "{log}");
    }

    /// Takes the task from the claim to main.
    fn assert_lands(&self, agent: &str, tells_usage: bool) {
        self.run(&["task", "claim", "T-1", "--agent", agent]);
        self.wait_until_passed(1);
        self.run(&["task", "follow-up", "T-1", "And the second message"]);
        self.wait_until_passed(2);
        let asked = self.model.last_request();
        assert!(asked.contains("Write answer.txt"), "the model sees the first turn again");
        assert!(asked.contains("And the second message"));
        self.run(&["task", "move", "T-1", "merging"]);
        let landed = wait_until(self.serving.url(), |task, _| {
            (task.status == "done" || task.error_annotation.is_some()) && task.busy.is_none()
        });
        assert_eq!(landed.error_annotation, None);
        assert_eq!(git(&self.repo, &["show", "main:answer.txt"]).trim(), "forty-two");
        let used = self.json(&["usage", "T-1"]);
        assert_eq!(used["executions"], if tells_usage { 2 } else { 0 }, "{used}");
        println!("{agent}: {}", self.run(&["usage", "T-1"]));
    }

    fn stop(self) {
        assert_eq!(self.serving.stop(), Some(0));
        self.runtime.shutdown_background();
    }
}

fn claude_environment(scene: &RealAgentFixture) -> Vec<String> {
    let variables = [
        format!("ANTHROPIC_BASE_URL={}", scene.model.url()),
        "ANTHROPIC_API_KEY=sk-ant-stand-in".to_owned(),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1".to_owned(),
        "CLAUDE_CODE_MAX_RETRIES=0".to_owned(),
    ];
    variables.into_iter().flat_map(|variable| ["--env".to_owned(), variable]).collect()
}

fn add(scene: &RealAgentFixture, words: &[&str], more: &[String], command: &[&str]) {
    let mut all: Vec<&str> = ["agent", "add"].into_iter().chain(words.iter().copied()).collect();
    all.extend(more.iter().map(String::as_str));
    all.extend(["--timeout", "180"]);
    if !command.is_empty() {
        all.push("--");
        all.extend(command);
    }
    scene.run(&all);
}

#[test]
fn e_1_claude_takes_a_task_from_claim_to_main() {
    let scene = RealAgentFixture::new();
    add(&scene, &["ada", "--kind", "claude", "--policy", "edit"], &claude_environment(&scene), &[]);
    scene.assert_lands("ada", true);
    scene.stop();
}

#[test]
fn e_1_codex_takes_a_task_from_claim_to_main() {
    let scene = RealAgentFixture::new();
    let provider = format!(
        "model_providers.standin={{name=\"standin\",base_url=\"{}/v1\",wire_api=\"responses\",env_key=\"STANDIN_KEY\",request_max_retries=0,stream_max_retries=0}}",
        scene.model.url()
    );
    let words = ["cody", "--kind", "codex", "--policy", "full", "--model", "gpt-5"];
    let more = [
        "--env",
        "STANDIN_KEY=stand-in",
        "--argument",
        "-c",
        "--argument",
        &provider,
        "--argument",
        "-c",
    ];
    let more = more.into_iter().chain(["--argument", "model_provider=\"standin\""]);
    let more: Vec<_> = more.map(str::to_owned).collect();
    add(&scene, &words, &more, &[]);
    scene.assert_lands("cody", true);
    scene.stop();
}

/// A real adapter from npm: ACP on one side, Claude Code on the other.
#[test]
fn e_1_an_acp_adapter_takes_a_task_from_claim_to_main() {
    let scene = RealAgentFixture::new();
    let words = ["zed", "--kind", "acp", "--policy", "edit"];
    add(&scene, &words, &claude_environment(&scene), &["claude-agent-acp"]);
    scene.assert_lands("zed", true);
    scene.stop();
}
