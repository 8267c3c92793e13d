//! Branches that clash, on the command line (SPEC M-14).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, page, project, task};
use crate::forge::User;
use crate::played_server::PlayedServer;

const OTHER: &str = "01890a5d-ac96-774b-bcce-b302099a8099";

fn branch(id: &str, number: u32, uncommitted: bool) -> Value {
    json!({
        "task_id": id, "key": format!("T-{number}"), "title": "Fix", "status": "coding", "repo_id": PROJECT,
        "branch": format!("forge/t-{number}"), "head": "4f3c07a", "uncommitted": uncommitted,
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

fn played(asked: &str, clash: bool) -> Option<(u16, Value)> {
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
    let server = PlayedServer::new(|asked| played(asked, true));
    let user = User::at(&server.url);
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
fn m_14_forge_conflicts_says_that_there_are_none() {
    let server = PlayedServer::new(|asked| played(asked, false));
    let ended = User::at(&server.url).run(&["conflicts"]);
    assert_eq!((ended.code, ended.out.as_str()), (0, "no conflict among 3 live branches\n"));
}
