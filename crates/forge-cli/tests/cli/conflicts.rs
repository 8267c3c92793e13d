//! Conflicting branches on the command line (SPEC M-14).

use forge_api::EventType;
use serde_json::Value;

use crate::cli_fixture::{CliFixture, block_on, wait_for_writer};

/// Changes a file whose name contains a control character, and another.
const CONFLICTING: &str =
    r#"for file in a.rs "$(printf 'b\033[31m.rs')"; do echo "$FORGE_TASK_ID" > "$file"; done"#;

/// Follows the events until the conflicts of the project are as described.
fn wait_for_conflicts(fixture: &CliFixture, condition: impl Fn(&Value) -> bool) {
    let client = fixture.client();
    block_on(async {
        let mut events = client.events().follow(Default::default()).await.expect("a stream");
        let projects = client.projects().fetch_page(&Default::default()).await;
        let project = projects.expect("projects").items.first().expect("a project").id;
        loop {
            let found = client.conflicts().fetch(project).await.expect("the conflicts");
            if condition(&serde_json::to_value(&found).expect("JSON")) {
                return;
            }
            events.next().await.expect("an event");
        }
    });
}

#[test]
fn m_14_forge_conflicts_names_each_pair_and_its_files() {
    let fixture = CliFixture::start_with(&[("FORGE_JOURNAL_SECONDS", "1")]);
    fixture.run(&["init"]);
    let up = fixture.make_pipe("up");
    fixture.add_agent("ada", CONFLICTING);
    let waits = format!("{CONFLICTING}; echo up > \"$HOME/up\"; exec tail -f /dev/null");
    fixture.add_agent("busy", &waits);
    fixture.add_agent("cleo", "echo cleo > c.rs");
    fixture.finish_task("T-1", "Fix", "ada");
    fixture.start_task("T-2", "Fix", "busy");
    wait_for_writer(&up);
    fixture.finish_task("T-3", "Elsewhere", "cleo");
    fixture.add_agent("dora", "echo dora > c.rs");
    fixture.finish_task("T-4", "Elsewhere", "dora");
    wait_for_conflicts(&fixture, |found| {
        found["conflicts"].as_array().is_some_and(|pairs| pairs.len() == 2)
    });
    let all = fixture.run(&["conflicts"]);
    let lines: Vec<&str> = all.lines().collect();
    assert_eq!(lines.len(), 3, "{all}");
    let own = lines.iter().find(|line| line.starts_with("T-1")).expect("its pair");
    assert!(own.contains("T-2*"), "uncommitted work has a star: {all}");
    assert!(own.contains("a.rs, b") && !own.contains('\u{1b}'), "{all}");
    let one = fixture.run(&["conflicts", "T-1"]);
    assert_eq!(one.lines().count(), 2, "only its own: {one}");
    let id = fixture.json(&["project", "show"])["id"].as_str().expect("text").to_owned();
    let document = fixture.call("GET", &format!("/projects/{id}/conflicts"), &Value::Null);
    assert_eq!(fixture.json(&["conflicts"]), document);
    fixture.run(&["task", "stop", "T-2"]);
    fixture.stop();
}

#[test]
fn m_14_forge_conflicts_reports_that_there_are_none() {
    let fixture = CliFixture::with_project();
    fixture.add_agent("ada", "echo x > $FORGE_TASK_ID");
    for key in ["T-1", "T-2", "T-3"] {
        fixture.finish_task(key, "Fix", "ada");
    }
    // The radar has seen them all once it reports a conflict with a later one, and its end.
    let first = fixture.json(&["task", "show", "T-1"])["id"].as_str().expect("text").to_owned();
    fixture.add_agent("bob", &format!("echo y > {first}"));
    fixture.finish_task("T-4", "Fix", "bob");
    fixture.wait_for_events(EventType::ConflictDetected, 1);
    fixture.run(&["task", "cancel", "T-4"]);
    fixture.wait_for_events(EventType::ConflictCleared, 1);
    assert_eq!(fixture.run(&["conflicts"]), "no conflict among 3 live branches\n");
    fixture.stop();
}

#[test]
fn issue_13_17_a_conflict_with_the_target_has_its_own_column() {
    let fixture = CliFixture::start();
    fixture.commit("old.rs", "begun\n");
    fixture.run(&["init"]);
    fixture.add_agent("ada", "echo \"$FORGE_TASK_ID\" > old.rs");
    fixture.finish_task("T-1", "Fix", "ada");
    fixture.add_agent("cleo", "echo x > c.rs");
    fixture.finish_task("T-2", "Elsewhere", "cleo");
    fixture.add_agent("dora", "echo landed > old.rs");
    fixture.finish_task("T-3", "First", "dora");
    fixture.run(&["task", "move", "T-3", "merging"]);
    fixture.wait_for_events(EventType::MergeFinished, 1);
    wait_for_conflicts(&fixture, |found| {
        let branches = found["branches"].as_array().expect("a list");
        let pairs = found["conflicts"].as_array().expect("a list");
        pairs.is_empty() && branches.iter().any(|branch| !branch["target_conflict"].is_null())
    });
    for arguments in [&["conflicts"][..], &["conflicts", "T-1"]] {
        let found = fixture.run(arguments);
        let lines: Vec<&str> = found.lines().collect();
        assert_eq!(lines.len(), 2, "{found}");
        assert!(lines[0].contains("TARGET"), "{lines:?}");
        let words: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!((words[0], words[1]), ("T-1", "main"), "{lines:?}");
        assert!(lines[1].ends_with("old.rs") && !lines[1].contains("T-2"), "{lines:?}");
    }
    fixture.stop();
}
