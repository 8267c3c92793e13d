//! Why a task waits, and switching dispatch, on the command line (SPEC E-10).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, page, project, task};
use crate::forge::User;
use crate::played_server::PlayedServer;

fn waiting(claimable: bool) -> Value {
    let reason = |code: &str, message: &str, subjects: Value| json!({ "code": code, "message": message, "subjects": subjects });
    let reasons = [
        reason("project_paused", "the project is paused; resume it", json!([])),
        reason("dependency", "it waits for T-\u{1b}[31m4", json!(["T-4"])),
    ];
    let reasons = if claimable { &reasons[..] } else { &[] };
    json!({ "task_id": TASK, "key": "T-12", "status": "coding", "claimable": claimable, "reasons": reasons, "place": null })
}

fn played(asked: &str, claimable: bool) -> Option<(u16, Value)> {
    if asked.starts_with("GET /projects?") {
        return page(json!([project("Alpha")]));
    }
    if asked == format!("GET /projects/{PROJECT}/tasks/by-number/12") {
        return Some((200, task(12, "Fix", "coding")));
    }
    if asked == format!("GET /tasks/{TASK}/why") {
        return Some((200, waiting(claimable)));
    }
    if asked == format!("PATCH /projects/{PROJECT}") {
        return Some((200, project("Alpha")));
    }
    let lack = json!({ "code": "disk_low", "message": "the disk has 1 MiB free", "subjects": [] });
    (asked == "POST /system/dispatch/pause").then(|| {
        (200, json!({ "paused_at": AT, "running": 2, "max_concurrent": 64, "lacks": [lack] }))
    })
}

#[test]
fn e_10_forge_why_names_every_reason_on_a_line_of_its_own() {
    let server = PlayedServer::new(|asked| played(asked, true));
    let user = User::at(&server.url);
    let ended = user.run(&["why", "T-12"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines[..2], ["T-12 waits", "  the project is paused; resume it"]);
    assert!(lines[2].starts_with("  it waits for T-") && !lines[2].contains('\u{1b}'), "{lines:?}");
    let ended = user.run(&["why", "T-12", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&ended.out).expect("one document"), waiting(true));
}

#[test]
fn e_10_forge_why_says_that_a_task_is_not_one_for_agents() {
    let server = PlayedServer::new(|asked| played(asked, false));
    let ended = User::at(&server.url).run(&["why", "T-12"]);
    assert_eq!(ended.out, "T-12 is in coding, where agents do not look\n");
}

#[test]
fn e_10_dispatch_is_switched_on_for_a_project_and_paused_for_all() {
    let server = PlayedServer::new(|asked| played(asked, true));
    let user = User::at(&server.url);
    let ended = user.run(&["dispatch", "on", "alpha", "--max", "3", "--hold-conflicts"]);
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (0, "Tasks of Alpha go to agents by themselves\n")
    );
    let asked = server.requests().pop().expect("a request");
    let said = r#""dispatch":{"enabled":true,"max_concurrent":3,"hold_conflicts":true}"#;
    assert!(asked.contains(said), "{asked}");
    let ended = user.run(&["dispatch", "pause"]);
    assert!(ended.out.contains("paused since") && ended.out.contains("2 of 64"), "{ended:?}");
    assert!(ended.out.contains("the disk has 1 MiB free"), "{ended:?}");
}
