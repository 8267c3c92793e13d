//! `forge workspace setup` (SPEC W-13).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, page, project, task};
use crate::forge::User;
use crate::played_server::PlayedServer;

/// Its log comes in two parts.
fn played(asked: &str) -> Option<(u16, Value)> {
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
fn w_13_a_setup_is_shown_with_all_it_said() {
    let server = PlayedServer::new(played);
    let ended = User::at(&server.url).run(&["workspace", "setup", "T-12"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    insta::assert_snapshot!("workspace_setup", ended.out);
    let json = User::at(&server.url).run(&["workspace", "setup", "T-12", "--json"]);
    let document: Value = serde_json::from_str(&json.out).expect("one document");
    assert_eq!(document["ports"], json!([42_000, 42_001]));
    assert_eq!(document["log"]["text"], "$ npm ci\r\nnpm: \u{1b}[31mnot found\n");
}

#[test]
fn s_4_the_help_says_what_a_setup_is() {
    let ended = User::new().run(&["workspace", "setup", "--help"]);
    assert_eq!(ended.code, 0);
    assert!(ended.out.contains("how the setup of a task's workspace went"), "{}", ended.out);
    let list = User::new().run(&["workspace", "--help"]);
    assert!(list.out.contains("setup"), "{}", list.out);
}
