//! The command `forge workspace setup` (SPEC W-13).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, page, project, task};
use crate::forge::CliUser;
use crate::played_server::StubServer;

/// Answers with a log in two parts.
fn answer(asked: &str) -> Option<(u16, Value)> {
    if asked.starts_with("GET /projects?") {
        return page(json!([project("Alpha")]));
    }
    if asked == format!("GET /projects/{PROJECT}/tasks/by-number/12") {
        return Some((200, task(12, "Fix", "blocked")));
    }
    let rest = asked.strip_prefix(&format!("GET /tasks/{TASK}/workspace/setup"))?;
    let log = if rest.contains("from=10") {
        json!({ "text": "npm: \u{1b}[31mnot found\n", "from": 10, "next": 30, "end": true })
    } else {
        json!({ "text": "$ npm ci\r\n", "from": 0, "next": 10, "end": false })
    };
    Some((
        200,
        json!({ "status": "failed", "ports": [42_000, 42_001], "created_at": AT,
                "finished_at": AT, "log": log }),
    ))
}

#[test]
fn w_13_a_setup_is_shown_with_its_whole_output() {
    let server = StubServer::new(answer);
    let ended = CliUser::at(&server.url).run(&["workspace", "setup", "T-12"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    insta::assert_snapshot!("workspace_setup", ended.out);
    let json = CliUser::at(&server.url).run(&["workspace", "setup", "T-12", "--json"]);
    let document: Value = serde_json::from_str(&json.out).expect("one document");
    assert_eq!(document["ports"], json!([42_000, 42_001]));
    assert_eq!(document["log"]["text"], "$ npm ci\r\nnpm: \u{1b}[31mnot found\n");
}

#[test]
fn s_4_the_help_explains_the_setup() {
    let ended = CliUser::new().run(&["workspace", "setup", "--help"]);
    assert_eq!(ended.code, 0);
    assert!(ended.out.contains("how the setup of a task's workspace went"), "{}", ended.out);
    let list = CliUser::new().run(&["workspace", "--help"]);
    assert!(list.out.contains("setup"), "{}", list.out);
}
