//! Projects and tasks on the command line (SPEC S-4, T-8 … T-11).

use std::fs;

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, failure, page, project, task};
use crate::forge::CliUser;
use crate::played_server::StubServer;

fn one_project(asked: &str) -> Option<(u16, Value)> {
    if asked.starts_with("GET /projects?") {
        return page(json!([project("Alpha")]));
    }
    let list = format!("GET /projects/{PROJECT}/tasks");
    match asked.strip_prefix(&list)?.strip_prefix("/by-number/") {
        Some("12") => return Some((200, task(12, "Fix \u{1b}[31mred\ttext", "coding"))),
        Some("7") => return Some((200, task(7, "Old", "coding"))),
        Some(_) => return None,
        None => {}
    }
    if asked.contains('?') {
        return page(json!([
            task(12, "Fix \u{1b}[31mred\ttext", "coding"),
            task(7, "Old", "coding")
        ]));
    }
    None
}

#[test]
fn s_4_lists_are_aligned_and_free_of_tabs_colours_and_foreign_escapes() {
    let server = StubServer::new(one_project);
    let user = CliUser::at(&server.url);
    let ended = user.run(&["task", "list", "--status", "coding", "-n", "5"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    insta::assert_snapshot!("task_list", ended.out);
    let asked = server.requests().pop().expect("a request");
    assert!(asked.contains("status=coding") && asked.contains("limit=5"), "{asked}");
    let coloured = user.run(&["task", "list", "--color", "always"]);
    assert!(coloured.out.contains("\u{1b}[1mT-12\u{1b}[0m"), "{:?}", coloured.out);
}

#[test]
fn s_4_json_is_the_answer_of_the_api() {
    let server = StubServer::new(one_project);
    let ended = CliUser::at(&server.url).run(&["task", "list", "--json"]);
    let document: Value = serde_json::from_str(&ended.out).expect("one document");
    let expected = one_project(&format!("GET /projects/{PROJECT}/tasks?")).expect("a page").1;
    assert_eq!(document, expected);
    assert_eq!(ended.err, "");
}

#[test]
fn a_number_needs_a_project_that_is_clear() {
    let server = StubServer::new(|asked| match asked {
        asked if asked.starts_with("GET /projects?") => {
            page(json!([project("Alpha"), project("Beta")]))
        }
        asked => one_project(asked).or_else(|| failure(404, "not_found", Value::Null)),
    });
    let mut user = CliUser::at(&server.url);
    let ended = user.run(&["task", "show", "T-12"]);
    assert_eq!(ended.code, 2);
    assert_eq!(
        ended.err,
        "error: there are several projects, and none is named [usage]\n\
         hint: name one with --project or FORGE_PROJECT\nhint: projects: Alpha, Beta\n"
    );
    let ended = user.run(&["task", "show", "T-12", "--json", "--project", "Beta"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    user.set("FORGE_PROJECT", "alpha");
    let ended = user.run(&["task", "show", "T-13"]);
    assert_eq!(ended.code, 3);
    assert_eq!(ended.err, "error: The server says not_found. [not_found]\n");
    let ended = user.run(&["task", "list", "--project", "Gamma"]);
    assert_eq!(ended.code, 3);
    assert!(ended.err.contains("hint: projects: Alpha, Beta"), "{}", ended.err);
}

#[test]
fn t_11_show_lists_the_possible_actions() {
    let server = StubServer::new(|asked| {
        if asked.contains("/actions") {
            return page(json!([
                { "name": "claim", "target": null, "label": "Claim", "method": "POST", "path": "/x", "parameters": [] },
                { "name": "cancel", "target": null, "label": "Cancel it", "method": "POST", "path": "/x", "parameters": [] },
            ]));
        }
        if asked == format!("GET /agents/{PROJECT}") {
            let executor = json!({ "kind": "shell", "command": ["x"], "timeout_seconds": null });
            return Some((
                200,
                json!({ "id": PROJECT, "name": "ada", "executor": executor, "roles": [], "paused": false,
                        "max_concurrent": 1, "ephemeral": false, "fallback": null, "version": 1, "created_at": AT }),
            ));
        }
        if asked.contains("/reviews") || asked.contains("/subtasks") {
            page(json!([]))
        } else {
            one_project(asked)
        }
    });
    let ended = CliUser::at(&server.url).run(&["task", "show", "T-12"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    insta::assert_snapshot!("task_show", ended.out);
}

#[test]
fn t_8_a_move_sends_the_version_it_read_and_lists_other_targets() {
    let server = StubServer::new(|asked| {
        if asked.ends_with("/transition") {
            return failure(422, "invalid_transition", json!({ "allowed": ["checking", "held"] }));
        }
        one_project(asked)
    });
    let ended =
        CliUser::at(&server.url).run(&["task", "move", "T-12", "nowhere", "--reason", "why not"]);
    assert_eq!(ended.code, 1);
    assert!(ended.err.ends_with("hint: choose one of: checking, held\n"), "{}", ended.err);
    let asked = server.requests().pop().expect("a request");
    let body = r#"{"status":"nowhere","version":4,"reason":"why not"}"#;
    assert_eq!(asked, format!("POST /tasks/{TASK}/transition {body}"));
}

#[test]
fn t_9_a_rejection_by_the_gate_exits_with_1_and_the_output() {
    let server = StubServer::new(|asked| {
        if asked.ends_with("/transition") {
            let step = json!({ "command": "cargo test", "exit_code": 101, "outcome": "failed", "duration_ms": 12, "output_tail": "two\nlines", "log_from": 0, "log_to": 9 });
            let review = json!({
                "id": TASK, "task_id": TASK, "status": "failed", "attempt_number": 2, "commit": null, "step_results": [step],
                "taken_from": null, "verdict": null, "feedback": null, "counted": true, "decided": null,
                "started_at": AT, "finished_at": AT,
            });
            return Some((200, json!({ "task": task(12, "Fix", "coding"), "review": review })));
        }
        one_project(asked)
    });
    let ended = CliUser::at(&server.url).run(&["task", "move", "T-12", "checking"]);
    assert_eq!((ended.code, ended.err.as_str()), (1, ""));
    insta::assert_snapshot!("gate_failed", ended.out);
}

#[test]
fn t_1_a_new_task_carries_all_options() {
    let server = StubServer::new(|asked| {
        let list = format!("GET /projects/{PROJECT}");
        match asked {
            asked if asked.starts_with("POST") => Some((201, task(13, "-x", "fresh"))),
            asked if asked == list => Some((200, project("Alpha"))),
            asked => one_project(asked),
        }
    });
    let user = CliUser::at(&server.url);
    let arguments = [
        "task",
        "new",
        "-d",
        "-",
        "--ci",
        "make",
        "--ci",
        "make test",
        "-l",
        "ui",
        "--priority",
        "-2",
        "--depends-on",
        "T-7",
        "-q",
        "--",
        "-x",
    ];
    let ended = user.pipe("the prompt\n", &arguments);
    assert_eq!((ended.code, ended.err.as_str()), (0, ""), "{ended:?}");
    assert_eq!(ended.out, "T-13  fresh  -x\n");
    let asked = server.requests().pop().expect("a request");
    let (_, body) = asked.split_once(" {").expect("a body");
    let body: Value = serde_json::from_str(&format!("{{{body}")).expect("JSON");
    assert_eq!(body["title"], "-x");
    assert_eq!(body["description"], "the prompt\n");
    assert_eq!(body["review_config"]["ci_steps"], json!(["make", "make test"]));
    assert_eq!((&body["priority"], &body["labels"]), (&json!(-2), &json!(["ui"])));
    assert_eq!(body["dependencies"], json!([TASK]));
}

#[test]
fn a_shell_agent_keeps_its_arguments_apart() {
    let server = StubServer::new(|_| failure(409, "duplicate", Value::Null));
    let user = CliUser::at(&server.url);
    let ended = user.run(&[
        "agent",
        "add",
        "fake",
        "--max-concurrent",
        "3",
        "--role",
        "coder",
        "--",
        "sh",
        "-c",
        "a b; $c",
    ]);
    assert_eq!(ended.code, 1);
    let asked = server.requests().pop().expect("a request");
    assert!(
        asked.contains(
            r#""executor":{"kind":"shell","command":["sh","-c","a b; $c"],"timeout_seconds":null}"#
        ),
        "{asked}"
    );
    assert!(asked.contains(r#""roles":["coder"],"max_concurrent":3"#), "{asked}");
}

#[test]
fn init_registers_the_current_repository_once() {
    let user = CliUser::new();
    let top = user.home.path().join("my-repo");
    let deep = top.join("src/deep");
    fs::create_dir_all(&deep).expect("made");
    fs::create_dir(top.join(".git")).expect("made");
    let top = top.canonicalize().expect("a path");
    let path = top.to_str().expect("UTF-8").to_owned();
    let repo = json!({
        "id": TASK, "project_id": PROJECT, "name": "my-repo", "path": path, "url": null, "default_branch": "main",
        "primary": true, "created_at": AT,
    });
    let known = std::sync::atomic::AtomicBool::new(false);
    let server = StubServer::new(move |asked| match asked {
        "POST /projects" => {
            known.store(true, std::sync::atomic::Ordering::SeqCst);
            Some((201, project("my-repo")))
        }
        asked if known.load(std::sync::atomic::Ordering::SeqCst) => {
            if asked.contains("/repos") {
                page(json!([repo]))
            } else {
                page(json!([project("my-repo")]))
            }
        }
        _ => page(json!([])),
    });
    let mut user = user;
    user.set("FORGE_URL", &server.url);
    for _ in 0..2 {
        let ended = user.run_in(&deep, &["init"]);
        assert_eq!(ended.code, 0, "{ended:?}");
        assert_eq!(ended.out, format!("Project my-repo works on {path}\n"));
        assert!(ended.err.starts_with("Next: "), "{}", ended.err);
    }
    let posted: Vec<_> =
        server.requests().into_iter().filter(|asked| asked.starts_with("POST")).collect();
    assert_eq!(posted.len(), 1, "the project and its repository are one request: {posted:?}");
    assert!(posted[0].contains(r#""name":"my-repo""#), "{posted:?}");
    assert!(posted[0].contains(&format!(r#""repo_path":"{path}""#)), "{posted:?}");
    let outside = user.run(&["init"]);
    assert_eq!(outside.code, 2);
    assert!(outside.err.contains("is in no git repository"), "{}", outside.err);
}

#[test]
fn w_16_a_patch_keeps_its_bytes() {
    let patch = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\t\n+new";
    let server =
        StubServer::new(move |asked| asked.contains("format=patch").then(|| (200, json!(patch))));
    let ended = CliUser::at(&server.url).run(&["task", "diff", TASK]);
    assert_eq!(ended.code, 0);
    assert_eq!(ended.out, patch);
}
