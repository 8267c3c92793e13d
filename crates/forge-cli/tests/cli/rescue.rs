//! Handoff, prompts and supervision of agents on the command line (SPEC T-20, T-22, E-2).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, page, project, task};
use crate::forge::CliUser;
use crate::played_server::StubServer;

const RUN: &str = "01900000-0000-7000-8000-0000000000aa";

fn execution(status: &str) -> Value {
    json!({
        "id": RUN, "task_id": TASK, "role": "coder", "agent_id": PROJECT, "user_id": null, "status": status,
        "outcome": null, "exit_code": null, "signal": null, "started_at": AT, "finished_at": null, "commit": null,
        "no_changes": null, "log_bytes": 5,
    })
}

fn finding(evidence: &str) -> Value {
    json!({
        "task_id": TASK, "project_id": PROJECT, "key": "T-12", "title": "Fix", "status": "coding", "execution_id": RUN,
        "agent_id": PROJECT, "role": "coder", "worktree": "w", "evidence": evidence, "since": AT, "age_seconds": 7300,
        "next": [{ "label": "Restart the run", "command": "forge task restart T-12 -p alpha" }],
    })
}

fn answer(asked: &str) -> Option<(u16, Value)> {
    let rescued = json!({ "task": task(12, "Fix", "coding"), "execution": execution("finished") });
    let (method, path) = asked.split_once(' ')?;
    let path = path.split(['?', ' ']).next().unwrap_or_default();
    match (method, path) {
        ("GET", "/projects") => page(json!([project("Alpha")])),
        ("GET", path) if path.ends_with("/by-number/12") => Some((200, task(12, "Fix", "coding"))),
        ("GET", path) if path.ends_with("/executions") => page(json!([execution("running")])),
        ("POST", path) if path.ends_with("/handoff") => Some((200, task(12, "Fix", "waiting"))),
        ("GET", path) if path.ends_with("/prompt") => Some((
            200,
            json!({ "role": "reviewer", "purpose": "judge", "customised": false, "prompt": "# T-12 Fix\u{1b}[31m\n" }),
        )),
        ("GET", "/agents/check") => Some((
            200,
            json!({ "running": [finding("it prints")], "stuck": [], "failed": [finding("code 3")],
                    "waiting": [finding("attempt 1 passed")], "abandoned": [] }),
        )),
        ("GET", path) if path.ends_with("/pulse") => Some((
            200,
            json!({
                "execution": execution("running"), "last_activity_at": AT, "silent_seconds": 4, "stalled_since": null,
                "last_output_at": AT, "last_output": "one\ntwo", "current_tool": "Bash",
                "tokens": { "input": 10, "output": 2 }, "files": ["src/a.rs"], "more_files": false,
            }),
        )),
        ("POST", path) if path.starts_with("/executions/") => Some((200, rescued)),
        _ => None,
    }
}

#[test]
fn t_20_a_handoff_sends_the_note_as_it_is() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    let ended = user.pipe("half\ndone\n", &["task", "handoff", "T-12", "--message", "-"]);
    assert_eq!((ended.code, ended.out.as_str()), (0, "T-12  waiting  handed off\n"), "{ended:?}");
    let asked = server.requests().pop().expect("a request");
    assert_eq!(asked, format!("POST /tasks/{TASK}/handoff {{\"message\":\"half\\ndone\\n\"}}"));
    assert_ne!(user.run(&["task", "handoff", "T-12"]).code, 0, "a note is needed");
}

#[test]
fn e_2_the_prompt_of_a_role_is_shown_and_cannot_write_to_the_terminal() {
    let server = StubServer::new(answer);
    let ended = CliUser::at(&server.url).run(&["task", "prompt", "T-12", "--role", "reviewer"]);
    assert!(ended.out.starts_with("# T-12 Fix") && !ended.out.contains('\u{1b}'), "{ended:?}");
    let asked = server.requests().pop().expect("a request");
    assert_eq!(asked.trim_end(), format!("GET /tasks/{TASK}/prompt?role=reviewer"));
}

#[test]
fn t_22_an_execution_is_stopped_restarted_and_marked_as_failed() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    for (words, path, body) in [
        (["task", "stop", "T-12", "--reason", "loops"].as_slice(), "stop", r#"{"reason":"loops"}"#),
        (&["task", "restart", "T-12"], "restart", r#"{"mode":"fresh"}"#),
        (&["task", "restart", "T-12", "--resume"], "restart", r#"{"mode":"resume"}"#),
        (&["task", "mark-failed", "T-12"], "mark-failed", r#"{"reason":null}"#),
    ] {
        let ended = user.run(words);
        assert_eq!(ended.code, 0, "{ended:?}");
        assert!(ended.out.starts_with("T-12  coding  "), "{ended:?}");
        let asked = server.requests().pop().expect("a request");
        assert_eq!(asked, format!("POST /executions/{RUN}/{path} {body}"));
    }
}

#[test]
fn t_22_agents_are_checked_and_a_pulse_is_shown() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    let ended = user.run(&["agent", "check"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let lines: Vec<&str> = ended.out.lines().collect();
    assert!(lines[1].contains("running") && lines[1].contains("2 h"), "{lines:?}");
    assert!(lines[2].contains("failed") && lines[2].contains("code 3"), "{lines:?}");
    assert!(lines[3].contains("waiting") && lines[3].contains("attempt 1 passed"), "{lines:?}");
    assert!(ended.err.contains("T-12   forge task restart T-12 -p alpha"), "{ended:?}");
    let ended = user.run(&["task", "pulse", "T-12"]);
    for part in ["running  run ", "4 s ago", "Bash", "10 read, 2 written", "src/a.rs", "  | two"] {
        assert!(ended.out.contains(part), "{part:?} is missing in {ended:?}");
    }
}
