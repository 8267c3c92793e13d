//! Why a task waits, and turning dispatch on, on the command line (SPEC E-10).

use serde_json::{Value, json};

use crate::cli_fixture::{CliFixture, wait_for_writer};

#[test]
fn e_10_forge_why_lists_every_reason_on_its_own_line() {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "First"]);
    fixture.run(&["task", "new", "Second", "--depends-on", "T-1"]);
    fixture.run(&["task", "move", "T-2", "todo"]);
    fixture.run(&["dispatch", "on"]);
    fixture.run(&["project", "pause", "widget"]);
    let why = fixture.run(&["why", "T-2"]);
    let lines: Vec<&str> = why.lines().collect();
    assert_eq!(lines[0], "T-2  todo  waits for an agent");
    assert!(lines[1].starts_with("  the project is paused; resume it"), "{lines:?}");
    assert!(lines[2].starts_with("  it waits for T-1"), "{lines:?}");
    let next = lines.iter().find(|line| line.starts_with("  next")).expect("what to do");
    assert!(next.starts_with("  next  forge project resume widget"), "{lines:?}");
    let document = fixture.json(&["why", "T-2"]);
    let id = document["task_id"].as_str().expect("an identifier");
    assert_eq!(document, fixture.call("GET", &format!("/tasks/{id}/why"), &Value::Null));
    fixture.stop();
}

#[test]
fn issue_13_19_forge_why_names_the_person_the_files_and_the_next_command() {
    let fixture = CliFixture::with_project();
    let script = "echo theirs > notes.txt; echo theirs > \"$(printf '\\033a.rs')\"";
    fixture.add_agent("ada", script);
    fixture.finish_task("T-1", "Fix", "ada");
    for name in ["notes.txt", "\u{1b}a.rs"] {
        std::fs::write(fixture.repo.join(name), "mine\n").expect("written");
    }
    fixture.fail(1, &["task", "move", "T-1", "merging"]);
    let why = fixture.run(&["why", "T-1"]);
    let lines: Vec<&str> = why.lines().collect();
    assert_eq!(lines[0], "T-1  merging  waits for a person");
    assert!(lines[1].starts_with("  uncommitted changes in "), "{lines:?}");
    let files = lines.iter().position(|line| *line == "    \u{fffd}a.rs").expect("the first file");
    assert_eq!(lines[files + 1], "    notes.txt");
    let next = lines[files + 2];
    assert!(next.starts_with("  next  git -C ") && next.ends_with(" status"), "{lines:?}");
    for name in ["notes.txt", "\u{1b}a.rs"] {
        std::fs::remove_file(fixture.repo.join(name)).expect("removed");
    }
    fixture.wait_until("T-1", |task| task.landing.is_some() && task.busy.is_none());
    fixture.stop();
}

#[test]
fn e_10_dispatch_is_turned_on_for_a_project_and_paused_for_all() {
    let too_much = ("FORGE_DISPATCH_MIN_DISK_BYTES", "9000000000000000000");
    let fixture = CliFixture::start_with(&[too_much]);
    fixture.run(&["init"]);
    let up = fixture.make_pipe("up");
    fixture.add_agent("ada", "echo up > \"$HOME/up\"; exec tail -f /dev/null");
    for (key, title) in [("T-1", "First"), ("T-2", "Second")] {
        fixture.start_task(key, title, "ada");
        wait_for_writer(&up);
    }
    let on = fixture.run(&["dispatch", "on", "widget", "--max", "3", "--hold-conflicts"]);
    assert_eq!(on, "Tasks of widget are assigned to agents automatically\n");
    let project = fixture.json(&["project", "show"]);
    let dispatch = json!({ "enabled": true, "max_concurrent": 3, "hold_conflicts": true });
    assert_eq!(project["settings"]["dispatch"], dispatch);
    let paused = fixture.run(&["dispatch", "pause"]);
    let served = "paused just now\non for    widget\nagents    2 of 64 at work\n";
    assert!(paused.contains(served), "{paused}");
    assert!(paused.contains("the disk has "), "{paused}");
    for key in ["T-1", "T-2"] {
        fixture.run(&["task", "stop", key]);
    }
    fixture.stop();
}

#[test]
fn e_10_forge_why_says_that_dispatch_does_not_look_at_the_state() {
    let fixture = CliFixture::with_project();
    fixture.run(&["task", "new", "First"]);
    let why = fixture.run(&["why", "T-1"]);
    assert!(why.contains("it is in \"backlog\", which is not claimable"), "{why}");
    fixture.run(&["dispatch", "on"]);
    let why = fixture.run(&["why", "T-1"]);
    let lines: Vec<&str> = why.lines().collect();
    assert_eq!(lines[0], "T-1  backlog  is not queued");
    let reason =
        "dispatch is on, but it does not look at tasks in \"backlog\"; move it to \"todo\"";
    let told = [lines[1].trim(), lines[2].trim()].join(" ");
    assert_eq!(told, reason, "{why}");
    assert!(lines[3].starts_with("  next  forge task move T-1 todo"), "{why}");
    fixture.stop();
}
