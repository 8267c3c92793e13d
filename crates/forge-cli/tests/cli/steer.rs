//! Messages to agents at work (SPEC T-22), with the real server, the real bridge and a small agent that speaks ACP.

use std::path::PathBuf;

use serde_json::Value;

use crate::forge::CliUser;
use crate::serve::{TOKEN, TestServer};
use crate::walk::{git, repository, wait_for_all_ended, wait_until};

const AGENT: &str = include_str!("acp_agent.sh");

struct SteerFixture {
    serving: TestServer,
    user: CliUser,
    repo: PathBuf,
}

impl SteerFixture {
    fn new() -> Self {
        Self::of("autopilot")
    }

    fn of(workflow: &str) -> Self {
        let serving = TestServer::start(&[("FORGE_BOOTSTRAP_TOKEN", TOKEN)]);
        let mut user = CliUser::at(serving.url());
        user.set("FORGE_TOKEN", TOKEN);
        let repo = repository(&user);
        rustix::fs::mkfifoat(
            rustix::fs::CWD,
            serving.home().join("up"),
            rustix::fs::Mode::from_raw_mode(0o600),
        )
        .expect("a pipe");
        let scene = Self { serving, user, repo };
        scene.run(&["init", "--workflow", workflow]);
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

    /// Returns once the agent has reached the point where it waits.
    fn wait_until_running(&self) {
        std::fs::read(self.serving.home().join("up")).expect("it is up");
    }

    fn received_messages(&self) -> Vec<String> {
        let told = std::fs::read_to_string(self.serving.home().join("told")).unwrap_or_default();
        told.lines().map(str::to_owned).collect()
    }
}

#[test]
fn t_22_a_steer_message_reaches_an_acp_agent_in_the_middle_of_its_turn() {
    let scene = SteerFixture::new();
    scene.run(&["agent", "add", "ada", "--kind", "acp", "--", "sh", "-c", AGENT]);
    scene.run(&["task", "new", "Wait for word", "--ci", "test -f told.txt"]);
    let claimed = scene.json(&["task", "claim", "T-1", "--agent", "ada"]);
    let project = claimed["task"]["project_id"].as_str().expect("an identifier").to_owned();
    scene.wait_until_running();
    let said = scene.run(&["task", "steer", "T-1", "use spaces"]);
    assert_eq!(said, "The message was sent to the agent\n");
    wait_for_all_ended(scene.serving.url(), &project);
    assert_eq!(git(&scene.repo, &["show", "main:told.txt"]), "told\n");
    let told = scene.received_messages();
    assert_eq!((told.len(), told[1].as_str()), (2, "use spaces"), "once, in the same session");
    let runs = scene.json(&["task", "show", "T-1"]);
    let log = scene.run(&["task", "log", "T-1"]);
    assert!(log.contains("steered"), "the log records the acknowledgement: {log} {runs}");
    let used = scene.json(&["usage", "T-1"]);
    assert_eq!(
        (&used["executions"], &used["usage"]["cost_micro_usd"]),
        (&1.into(), &500_000.into())
    );
    assert_eq!(scene.serving.stop(), Some(0));
}

#[test]
fn t_22_a_program_without_live_messages_gets_another_execution() {
    let scene = SteerFixture::new();
    let script =
        "cat >> \"$HOME/told\"; [ -e told.txt ] || echo up > \"$HOME/up\"; echo x >> told.txt";
    scene.run(&["agent", "add", "ada", "--", "sh", "-c", script]);
    scene.run(&["task", "new", "Do it"]);
    let claimed = scene.json(&["task", "claim", "T-1", "--agent", "ada"]);
    let project = claimed["task"]["project_id"].as_str().expect("an identifier").to_owned();
    // The program blocks until its pipe is read.
    let execution = claimed["execution"]["id"].as_str().expect("an identifier");
    let said = scene.run(&["task", "steer", "T-1", "--execution", execution, "use spaces"]);
    assert_eq!(said, "Queued: the agent gets the message after its current execution\n");
    let task = scene.json(&["task", "show", "T-1"]);
    let queued = &task["messages"][0];
    assert_eq!(
        (&queued["message"], &queued["delivery"]),
        (&"use spaces".into(), &"next_turn".into())
    );
    scene.wait_until_running();
    wait_for_all_ended(scene.serving.url(), &project);
    assert_eq!(git(&scene.repo, &["show", "main:told.txt"]), "x\nx\n", "two turns");
    let told = scene.received_messages();
    assert_eq!(told.iter().filter(|line| line.as_str() == "use spaces").count(), 1, "{told:?}");
    let late = scene.user.run_in(&scene.repo, &["task", "steer", "T-1", "too late"]);
    assert!(late.code == 1 && late.err.contains("[execution_over]"), "{late:?}");
    assert_eq!(scene.serving.stop(), Some(0));
}

#[test]
fn e_7_an_acp_agent_continues_its_session_and_lands() {
    let scene = SteerFixture::of("default");
    scene.run(&["agent", "add", "ada", "--kind", "acp", "--", "sh", "-c", AGENT]);
    scene.run(&["task", "new", "Write it down", "--ci", "test -f told.txt"]);
    scene.run(&["task", "claim", "T-1", "--agent", "ada"]);
    let passed = |runs: usize| {
        let task = wait_until(scene.serving.url(), |task, found| {
            let passed = task.review_passed_at.is_some() && found == runs;
            (passed || task.error_annotation.is_some()) && task.busy.is_none()
        });
        assert_eq!(task.error_annotation, None);
    };
    passed(1);
    scene.run(&["task", "follow-up", "T-1", "once more"]);
    passed(2);
    assert_eq!(scene.received_messages()[1..], ["loaded", "once more"]);
    scene.run(&["task", "move", "T-1", "merging"]);
    wait_until(scene.serving.url(), |task, _| task.status == "done" && task.busy.is_none());
    assert_eq!(git(&scene.repo, &["show", "main:told.txt"]), "told\n");
    assert_eq!(scene.json(&["usage", "T-1"])["executions"], 2);
    assert_eq!(scene.serving.stop(), Some(0));
}
