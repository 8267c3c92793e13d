//! Conflicting branches on the command line (SPEC M-14).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, page, project, task};
use crate::forge::CliUser;
use crate::played_server::StubServer;

const OTHER: &str = "01890a5d-ac96-774b-bcce-b302099a8099";

fn branch(id: &str, number: u32, uncommitted: bool) -> Value {
    branch_with(id, number, uncommitted, Value::Null)
}

fn branch_with(id: &str, number: u32, uncommitted: bool, conflict: Value) -> Value {
    json!({
        "task_id": id, "key": format!("T-{number}"), "title": "Fix", "status": "coding", "repo_id": PROJECT,
        "branch": format!("forge/t-{number}"), "head": "4f3c07a", "uncommitted": uncommitted,
        "target": "main", "target_conflict": conflict,
    })
}

fn found(clash: bool) -> Value {
    let (own, other) = (branch(TASK, 12, false), branch(OTHER, 15, true));
    let third = branch("01890a5d-ac96-774b-bcce-b302099a8098", 17, false);
    let own_pair =
        json!({ "branches": [own, other], "files": ["a.rs", "b\u{1b}[31m.rs"], "since": AT });
    let second = json!({ "branches": [other, third], "files": ["c.rs"], "since": AT });
    let conflicts = if clash { json!([own_pair, second]) } else { json!([]) };
    json!({ "branches": [own, other, third], "conflicts": conflicts })
}

fn answer(asked: &str, clash: bool) -> Option<(u16, Value)> {
    if asked.starts_with("GET /projects?") {
        return page(json!([project("Alpha")]));
    }
    if asked == format!("GET /projects/{PROJECT}/tasks/by-number/12") {
        return Some((200, task(12, "Fix", "coding")));
    }
    (asked == format!("GET /projects/{PROJECT}/conflicts")).then(|| (200, found(clash)))
}

#[test]
fn m_14_forge_conflicts_names_each_pair_and_its_files() {
    let server = StubServer::new(|asked| answer(asked, true));
    let user = CliUser::at(&server.url);
    let ended = user.run(&["conflicts"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    let lines: Vec<&str> = ended.out.lines().collect();
    assert_eq!(lines.len(), 3, "{ended:?}");
    assert!(lines[1].starts_with("T-12") && lines[1].contains("T-15*"), "{lines:?}");
    assert!(lines[1].contains("a.rs, b") && !lines[1].contains('\u{1b}'), "{lines:?}");
    let ended = user.run(&["conflicts", "T-12"]);
    assert_eq!(ended.out.lines().count(), 2, "only its own: {ended:?}");
    let ended = user.run(&["conflicts", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&ended.out).expect("one document"), found(true));
}

#[test]
fn m_14_forge_conflicts_reports_that_there_are_none() {
    let server = StubServer::new(|asked| answer(asked, false));
    let ended = CliUser::at(&server.url).run(&["conflicts"]);
    assert_eq!((ended.code, ended.out.as_str()), (0, "no conflict among 3 live branches\n"));
}

#[test]
fn issue_13_17_a_conflict_with_the_target_has_its_own_column() {
    let server = StubServer::new(|asked| match answer(asked, false) {
        Some((200, found)) if found["branches"].is_array() => {
            let conflict = json!({ "files": ["old.rs"], "since": AT });
            let own = branch_with(TASK, 12, false, conflict);
            Some((200, json!({ "branches": [own, branch(OTHER, 15, true)], "conflicts": [] })))
        }
        other => other,
    });
    let user = CliUser::at(&server.url);
    for arguments in [&["conflicts"][..], &["conflicts", "T-12"]] {
        let ended = user.run(arguments);
        let lines: Vec<&str> = ended.out.lines().collect();
        assert_eq!((ended.code, lines.len()), (0, 2), "{ended:?}");
        assert!(lines[0].contains("TARGET"), "{lines:?}");
        let words: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!((words[0], words[1]), ("T-12", "main"), "{lines:?}");
        assert!(lines[1].ends_with("old.rs") && !lines[1].contains("T-15"), "{lines:?}");
    }
}
