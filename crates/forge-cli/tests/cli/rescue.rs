//! Handoff, prompts and supervision of agents on the command line (SPEC T-20, T-22, E-2).

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::cli_fixture::{CliFixture, wait_for_writer};
use crate::serve::TOKEN;
use assert_cmd::cargo::CommandCargoExt;

/// Prints one turn with a tool call, as claude does, and waits until it is stopped. Notes its arguments.
const CALLS_A_TOOL: &str = r#"echo "$*" >> "$HOME/arguments"; cat > /dev/null; echo x > a.rs
printf '%s\n' '{"type":"system","subtype":"init","session_id":"s-1","model":"m"}' '{"type":"assistant","session_id":"s-1","message":{"id":"m1","usage":{"input_tokens":10,"output_tokens":2},"content":[{"type":"text","text":"one\ntwo"},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}'
echo up > "$HOME/up"; exec tail -f /dev/null"#;

#[test]
fn t_20_a_handoff_passes_the_note_on_as_it_is() {
    let fixture = CliFixture::with_project();
    fixture.add_agent("ada", "true");
    fixture.run(&["task", "new", "Fix"]);
    fixture.run(&["task", "claim", "T-1"]);
    assert_eq!(fixture.user.run(&["task", "handoff", "T-1"]).code, 2, "a note is needed");
    let ended = fixture.user.pipe("half\ndone\n", &["task", "handoff", "T-1", "--message", "-"]);
    assert_eq!((ended.code, ended.out.as_str()), (0, "T-1  todo  handed off\n"), "{ended:?}");
    let task = fixture.json(&["task", "show", "T-1"]);
    assert_eq!(task["handoffs"][0]["message"], "half\ndone", "{task}");
    let prompt = fixture.run(&["task", "prompt", "T-1", "--role", "coder"]);
    assert!(prompt.contains("half\ndone\n"), "{prompt}");
    fixture.stop();
}

#[test]
fn e_2_the_prompt_of_a_role_is_shown_and_cannot_write_to_the_terminal() {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "Fix", "--description", "colour \u{1b}[31mred"]);
    let prompt = fixture.run(&["task", "prompt", "T-1", "--role", "reviewer"]);
    assert!(prompt.starts_with("# T-1 Fix"), "{prompt}");
    assert!(prompt.contains("You are the reviewer of this task"), "{prompt}");
    assert!(prompt.contains("[31mred") && !prompt.contains('\u{1b}'), "{prompt}");
    fixture.stop();
}

#[test]
fn t_22_an_execution_is_stopped_restarted_and_marked_as_failed() {
    let fixture = CliFixture::with_project();
    let up = fixture.make_pipe("up");
    let claude = ["agent", "add", "ada", "--kind", "claude", "--", "sh", "-c", CALLS_A_TOOL];
    fixture.run(&[&claude[..], &["claude"]].concat());
    fixture.start_task("T-1", "Fix", "ada");
    wait_for_writer(&up);
    let run = |arguments: &[&str], said: &str| {
        let out = fixture.run(arguments);
        assert_eq!(out, format!("T-1  {said}\n"));
    };
    run(&["task", "stop", "T-1", "--reason", "loops"], "in_progress  stopped");
    let check = fixture.run(&["agent", "check"]);
    assert!(check.contains("stopped by a person: loops"), "the reason arrives: {check}");
    run(&["task", "restart", "T-1"], "in_progress  restarted");
    wait_for_writer(&up);
    run(&["task", "stop", "T-1"], "in_progress  stopped");
    run(&["task", "restart", "T-1", "--resume"], "in_progress  restarted");
    wait_for_writer(&up);
    run(&["task", "mark-failed", "T-1"], "blocked  marked as failed");
    let started = std::fs::read_to_string(fixture.serving.home().join("arguments"));
    let started = started.expect("three executions");
    let resumed: Vec<_> = started.lines().map(|line| line.contains("--resume s-1")).collect();
    assert_eq!(resumed, [false, false, true], "{started}");
    fixture.stop();
}

#[test]
fn t_22_agents_are_checked_and_a_pulse_is_shown() {
    let fixture = CliFixture::with_project();
    let up = fixture.make_pipe("up");
    let claude = ["agent", "add", "ada", "--kind", "claude", "--", "sh", "-c", CALLS_A_TOOL];
    fixture.run(&[&claude[..], &["claude"]].concat());
    fixture.add_agent("bob", "exit 3");
    fixture.add_agent("cleo", "echo x > passed.txt");
    fixture.start_task("T-1", "Fix", "ada");
    wait_for_writer(&up);
    wait_for_log_line(&fixture, "T-1", "Bash");
    fixture.start_task("T-2", "Break", "bob");
    fixture.wait_until("T-2", |task| task.error_annotation.is_some() && task.busy.is_none());
    fixture.finish_task("T-3", "Pass", "cleo");

    let ended = fixture.user.run(&["agent", "check"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let lines: Vec<&str> = ended.out.lines().collect();
    for (line, key, is, evidence) in [
        (1, "T-1", "running", "it printed"),
        (2, "T-2", "failed", "code 3"),
        (3, "T-3", "waiting", "attempt 1 passed"),
    ] {
        let found = lines[line];
        assert!(found.starts_with(key) && found.contains(is), "{lines:?}");
        assert!(found.contains(" s ") && found.contains(evidence), "{lines:?}");
    }
    assert!(ended.err.contains("T-2    forge task log T-2 -p widget"), "{ended:?}");
    let pulse = fixture.run(&["task", "pulse", "T-1"]);
    for part in ["running for ", " s ago", "Bash", "10 read, 2 written", "a.rs", "  | two"] {
        assert!(pulse.contains(part), "{part:?} is missing in {pulse}");
    }
    fixture.run(&["task", "stop", "T-1"]);
    fixture.stop();
}

/// Follows the log of a running task until it has a line with this word.
fn wait_for_log_line(fixture: &CliFixture, key: &str, word: &str) {
    let mut follows = Command::cargo_bin("forge")
        .expect("the binary")
        .args(["task", "log", key, "--follow"])
        .env_clear()
        .envs([("FORGE_URL", fixture.serving.url()), ("FORGE_TOKEN", TOKEN)])
        .current_dir(&fixture.repo)
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = BufReader::new(follows.stdout.take().expect("piped")).lines();
    let found = lines.map_while(Result::ok).any(|line| line.contains(word));
    follows.kill().expect("it follows");
    follows.wait().expect("it ends");
    assert!(found, "the log of {key} ended without {word}");
}
