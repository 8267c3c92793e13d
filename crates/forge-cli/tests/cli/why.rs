//! Why a task waits, and turning dispatch on, on the command line (SPEC E-10).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, page, project, task};
use crate::forge::CliUser;
use crate::played_server::StubServer;

fn waiting(claimable: bool) -> Value {
    let reason = |code: &str, message: &str, subjects: Value| json!({ "code": code, "message": message, "subjects": subjects });
    let reasons = [
        reason("project_paused", "the project is paused; resume it", json!([])),
        reason("dependency", "it waits for T-\u{1b}[31m4", json!(["T-4"])),
    ];
    let reasons = if claimable { &reasons[..] } else { &[] };
    let (waits_for, message, command) = match claimable {
        true => ("agent", "the project is paused; resume it", "forge project resume alpha"),
        false => ("person", "local changes stand in the way", "git -C /srv/alpha status"),
    };
    let files = if claimable { json!([]) } else { json!(["src/\u{1b}a.rs", "notes.txt"]) };
    json!({
        "task_id": TASK, "key": "T-12", "status": "coding", "waits_for": waits_for, "message": message,
        "person_reason": if claimable { json!(null) } else { json!("target_checkout_dirty") }, "since": null,
        "files": files, "next": [{ "label": "Do it", "command": command }], "claimable": claimable,
        "reasons": reasons, "place": null,
    })
}

fn answer(asked: &str, claimable: bool) -> Option<(u16, Value)> {
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
fn e_10_forge_why_lists_every_reason_on_its_own_line() {
    let server = StubServer::new(|asked| answer(asked, true));
    let user = CliUser::at(&server.url);
    let ended = user.run(&["why", "T-12"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines[0], "T-12  coding  waits for an agent");
    assert_eq!(lines[1], "  the project is paused; resume it");
    assert!(lines[2].starts_with("  it waits for T-") && !lines[2].contains('\u{1b}'), "{lines:?}");
    assert_eq!(lines[3], "  next  forge project resume alpha  Do it");
    let ended = user.run(&["why", "T-12", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&ended.out).expect("one document"), waiting(true));
}

#[test]
fn issue_13_19_forge_why_names_the_person_the_files_and_the_next_command() {
    let server = StubServer::new(|asked| answer(asked, false));
    let ended = CliUser::at(&server.url).run(&["why", "T-12"]);
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(
        lines[..2],
        ["T-12  coding  waits for a person", "  local changes stand in the way"]
    );
    assert_eq!(lines[2..4], ["    src/\u{fffd}a.rs", "    notes.txt"]);
    assert_eq!(lines[4], "  next  git -C /srv/alpha status  Do it");
}

#[test]
fn e_10_dispatch_is_turned_on_for_a_project_and_paused_for_all() {
    let server = StubServer::new(|asked| answer(asked, true));
    let user = CliUser::at(&server.url);
    let ended = user.run(&["dispatch", "on", "alpha", "--max", "3", "--hold-conflicts"]);
    assert_eq!(
        (ended.code, ended.out.as_str()),
        (0, "Tasks of Alpha are assigned to agents automatically\n")
    );
    let asked = server.requests().pop().expect("a request");
    let said = r#""dispatch":{"enabled":true,"max_concurrent":3,"hold_conflicts":true}"#;
    assert!(asked.contains(said), "{asked}");
    let ended = user.run(&["dispatch", "pause"]);
    assert!(ended.out.contains("paused since") && ended.out.contains("2 of 64"), "{ended:?}");
    assert!(ended.out.contains("the disk has 1 MiB free"), "{ended:?}");
}
