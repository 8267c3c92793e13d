//! Rebase, revert and regressions on the command line, and the report of a landing (SPEC M-9, M-10).

use serde_json::{Value, json};

use crate::answers::{AT, TASK, page, project, task};
use crate::forge::CliUser;
use crate::played_server::StubServer;

fn landed() -> Value {
    let mut landed = task(12, "Fix", "shipped");
    landed["landing"] = json!({
        "outcome": "merged", "commit": "0123456789abcdef0123456789abcdef01234567", "target": "main", "verified": null,
        "at": AT,
    });
    landed["cleanup"] = json!({ "worktree": true, "branch": true, "record": true, "warnings": ["one stayed"], "at": AT });
    landed
}

fn answer(asked: &str) -> Option<(u16, Value)> {
    let (method, path) = asked.split_once(' ')?;
    let path = path.split(['?', ' ']).next().unwrap_or_default();
    match (method, path) {
        ("GET", "/projects") => page(json!([project("Alpha")])),
        ("GET", path) if path.ends_with("/by-number/12") => Some((200, landed())),
        ("POST", path) if path.ends_with("/transition") => Some((200, landed())),
        ("POST", path) if path.ends_with("/rebase") => {
            let rebase = json!({ "outcome": "conflict", "target": "main", "commit": null, "files": ["a.rs"] });
            Some((200, json!({ "task": task(12, "Fix", "coding"), "rebase": rebase })))
        }
        ("POST", path) if path.ends_with("/revert") => {
            let revert = task(13, "Revert \"Fix\"", "parked");
            Some((201, json!({ "task": revert, "made": true, "conflicts": ["a.rs"] })))
        }
        ("POST", path) if path.ends_with("/regressed") => {
            let fix = task(14, "Mend", "waiting");
            Some((200, json!({ "task": fix, "made": false, "conflicts": [] })))
        }
        _ => None,
    }
}

#[test]
fn m_9_m_10_the_result_of_the_work_is_shown_and_can_be_reverted() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    let run = |arguments: &[&str]| {
        let ended = user.run(arguments);
        assert_eq!(ended.code, 0, "{arguments:?}: {ended:?}");
        ended.out
    };
    let said = run(&["task", "rebase", "T-12", "--message", "keep both"]);
    assert_eq!(said, "T-12  coding\n  conflicts with main are in its workspace, in: a.rs\n");
    let asked = server.requests().pop().expect("a request");
    assert_eq!(asked, format!("POST /tasks/{TASK}/rebase {{\"message\":\"keep both\"}}"));

    let said = run(&["task", "revert", "T-12"]);
    assert!(said.starts_with("T-13  parked  Revert \"Fix\"\n"), "{said}");
    assert!(said.contains("later changes conflict with it, in: a.rs"), "{said}");
    let said = run(&["task", "regressed", "T-12", "--reason", "slow"]);
    assert_eq!(said, "T-14  waiting  Mend\n  already fixes it\n");
    assert_ne!(user.run(&["task", "regressed", "T-12"]).code, 0, "the reason is required");

    let said = run(&["task", "move", "T-12", "shipped"]);
    assert!(said.contains("landed: 0123456789"), "{said}");
    assert!(said.contains("cleaned: worktree, branch, git's record; one stayed"), "{said}");
}
