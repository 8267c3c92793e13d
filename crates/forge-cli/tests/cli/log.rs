//! `forge task log` and `forge task show` (SPEC S-4).

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt;

use crate::cli_fixture::{CliFixture, wait_for_writer};
use crate::serve::TOKEN;

/// Prints what `claude` prints for a message, a tool call, its result and the end.
const CLAUDE: &str = r#"cat > /dev/null
printf '%s\n' '{"type":"system","subtype":"init","session_id":"s-1"}'
printf '%s\n' '{"type":"assistant","message":{"content":[{"type":"text","text":"I look at the file."}]}}'
printf '%s\n' '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t-1","name":"Bash","input":{"command":"cat notes.txt"}}]}}'
printf '%s\n' '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t-1","content":"one\ntwo\nthree"}]}}'
echo note > notes.txt
printf '%s\n' '{"type":"result","subtype":"success","is_error":false,"session_id":"s-1","total_cost_usd":0.5,"usage":{"input_tokens":10,"output_tokens":2}}'"#;

#[test]
fn s_4_the_log_is_readable_and_raw_on_request() {
    let fixture = CliFixture::with_project();
    let claude = ["agent", "add", "ada", "--kind", "claude", "--", "sh", "-c", CLAUDE];
    fixture.run(&[&claude[..], &["claude"]].concat());
    fixture.finish_task("T-1", "Take notes", "ada");
    let log = fixture.run(&["task", "log", "T-1"]);
    let expected = "I look at the file.\n> Bash cat notes.txt\n    one … 2 more lines\n";
    assert!(log.contains(expected), "{log}");
    assert!(!log.contains("{\"type\""), "{log}");
    let raw = fixture.run(&["task", "log", "T-1", "--raw"]);
    assert!(raw.starts_with("{\"type\":\"system\""), "{raw}");
    let shown = fixture.run(&["task", "show", "T-1"]);
    for line in [
        "\n  run         ada as coder, succeeded after ",
        "\n  branch      forge/1-take-notes",
        "\n  worktree    cd /",
        "\n  changes     1 file, +1 -0",
        "\n  attempt     1 passed",
        "\n  cost        $0.50, 12 tokens in 1 run",
        "\n  next  forge task move T-1 merging ",
        "\n  all   forge task show T-1 --actions",
    ] {
        assert!(shown.contains(line), "{line:?} is missing in {shown}");
    }
    let id = fixture.json(&["task", "show", "T-1"])["id"].as_str().expect("text").to_owned();
    assert!(!shown.contains(&id), "{shown}");
    let actions = fixture.run(&["task", "show", "T-1", "--actions"]);
    for command in
        ["forge task move T-1 merging", "forge task cancel T-1", "forge task comment T-1 TEXT"]
    {
        assert!(actions.contains(command), "{command:?} is missing in {actions}");
    }
    let usage = fixture.run(&["usage"]);
    assert!(usage.starts_with("runs    1\ncost    $0.50\n"), "{usage}");
    fixture.stop();
}

#[test]
fn s_4_following_a_log_goes_on_until_the_task_needs_a_person() {
    let fixture = CliFixture::with_project();
    let up = fixture.make_pipe("up");
    let script = "n=1; [ -e first ] && n=2 && touch second; touch first; echo \"run $n\"; echo up > \"$HOME/up\"";
    fixture.add_agent("ada", script);
    fixture.run(&["task", "new", "Fix", "--ci", "test -e second"]);
    fixture.run(&["task", "claim", "T-1", "--agent", "ada"]);
    let mut follows = Command::cargo_bin("forge")
        .expect("the binary")
        .args(["task", "log", "T-1", "--follow"])
        .env_clear()
        .envs([("FORGE_URL", fixture.serving.url()), ("FORGE_TOKEN", TOKEN)])
        .current_dir(&fixture.repo)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut lines = BufReader::new(follows.stdout.take().expect("piped")).lines();
    let mut next = || lines.next().expect("a line").expect("text");
    assert_eq!(next(), "run 1");
    wait_for_writer(&up);
    wait_for_writer(&up);
    assert_eq!(next(), "run 2");
    let ended = follows.wait_with_output().expect("it ends");
    assert!(ended.status.success(), "{ended:?}");
    let told = String::from_utf8(ended.stderr).expect("text");
    assert!(told.contains("T-1  review  waits for a person"), "{told}");
    assert!(told.contains("forge task move T-1 merging"), "{told}");
    let usage = fixture.run(&["usage", "T-1"]);
    assert!(usage.starts_with("runs    2, 2 of them without reported usage\n"), "{usage}");
    let silent = "\nWithout reported usage:\n  ada as coder, just now\n  ada as coder, just now\n";
    assert!(usage.ends_with(silent), "{usage}");
    fixture.stop();
}
