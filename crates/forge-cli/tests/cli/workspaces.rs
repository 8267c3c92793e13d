//! Workspaces on the command line (SPEC W-16).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, page, project, task};
use crate::forge::CliUser;
use crate::played_server::StubServer;

fn workspace(key: &str, change: Value) -> Value {
    let mut workspace = json!({
        "task_id": TASK, "key": key, "title": "Fix \u{1b}[31mred", "project_id": PROJECT,
        "path": format!("/data/workspaces/alpha-{key}"), "branch": "forge/12-fix",
        "base": "1".repeat(40), "head": "2".repeat(40), "ahead": 2, "behind": 1,
        "dirty": { "staged": 0, "modified": 3, "untracked": 1 },
        "status": "ready", "last_error": null, "lock": null,
    });
    for (name, value) in change.as_object().expect("an object") {
        workspace[name] = value.clone();
    }
    workspace
}

fn answer(asked: &str) -> Option<(u16, Value)> {
    let lock = json!({
        "execution_id": TASK, "holder": TASK, "node": "n", "pid": 4711, "since": AT,
    });
    let even =
        json!({ "ahead": 0, "behind": 0, "dirty": { "staged": 0, "modified": 0, "untracked": 0 } });
    let broken = json!({
        "ahead": null, "behind": null, "dirty": null, "head": null, "status": "corrupted",
        "last_error": "the directory is gone",
    });
    if asked.starts_with("GET /workspaces?") {
        return page(json!([
            workspace("T-12", json!({ "lock": lock })),
            workspace("T-7", even),
            workspace("T-3", broken),
        ]));
    }
    if asked.starts_with("GET /projects?") {
        return page(json!([project("Alpha")]));
    }
    if asked == format!("GET /projects/{PROJECT}/tasks/by-number/12") {
        return Some((200, task(12, "Fix", "coding")));
    }
    if asked == format!("GET /tasks/{TASK}/workspace") {
        return Some((200, workspace("T-12", json!({ "lock": lock }))));
    }
    if asked.starts_with(&format!("GET /tasks/{TASK}/diff?")) {
        let file = |path: &str, old: Value, change: &str, lines: Value| {
            json!({ "path": path, "old_path": old, "change": change, "binary": lines.is_null(),
                    "truncated": false, "additions": lines, "deletions": lines, "patch": null })
        };
        let files = [
            file("a.rs", Value::Null, "modified", json!(3)),
            file("b\u{1b}.rs", json!("c.rs"), "renamed", json!(0)),
            file("logo.png", Value::Null, "added", Value::Null),
        ];
        return Some((
            200,
            json!({ "scope": "all", "source": "workspace", "base": "1".repeat(40), "head": null,
                    "files": files, "truncated": false }),
        ));
    }
    None
}

#[test]
fn w_16_the_list_shows_the_state_of_each() {
    let server = StubServer::new(answer);
    let ended = CliUser::at(&server.url).run(&["workspace", "list"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    insta::assert_snapshot!("workspace_list", ended.out);
}

#[test]
fn w_16_a_workspace_is_shown_with_its_lock_holder() {
    let server = StubServer::new(answer);
    let ended = CliUser::at(&server.url).run(&["workspace", "show", "T-12"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    insta::assert_snapshot!("workspace_show", ended.out);
    let json = CliUser::at(&server.url).run(&["workspace", "show", "T-12", "--json"]);
    let document: Value = serde_json::from_str(&json.out).expect("one document");
    assert_eq!(document["lock"]["pid"], 4711);
}

#[test]
fn w_16_a_diff_can_be_summarised() {
    let server = StubServer::new(answer);
    let ended = CliUser::at(&server.url).run(&["task", "diff", "T-12", "--stat"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    insta::assert_snapshot!("diff_stat", ended.out);
}
