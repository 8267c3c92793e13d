//! Cleanup of workspaces on the command line (SPEC W-7, W-9, W-10).

use serde_json::{Value, json};

use crate::answers::{AT, PROJECT, TASK, page, project, task};
use crate::forge::CliUser;
use crate::played_server::StubServer;

fn answer(asked: &str) -> Option<(u16, Value)> {
    if asked.starts_with("GET /projects?") {
        return page(json!([project("Alpha")]));
    }
    let by_number = format!("GET /projects/{PROJECT}/tasks/by-number/12");
    let reset = format!("POST /tasks/{TASK}/workspace/reset");
    let clean = format!("POST /tasks/{TASK}/workspace/clean");
    let path = "/data/workspaces/alpha-12-fix-0a1b2c3d";
    let gone = json!({ "task_id": TASK, "key": "T-12", "path": path, "verdict": "would_be_removed",
        "why": "T-12 has landed", "saved_under": format!("refs/forge/journal/{TASK}/") });
    match asked {
        asked if asked == by_number => Some((200, task(12, "Fix", "blocked"))),
        asked if asked == reset => Some((200, task(12, "Fix", "todo"))),
        asked if asked == clean => Some((200, gone)),
        "POST /workspaces/clean" => page(json!([gone,
            { "task_id": TASK, "key": "T-7", "path": "/data/workspaces/seven", "verdict": "blocked",
              "why": "coder works in the workspace of T-7; wait for its end, or stop it", "saved_under": null },
            { "task_id": null, "key": null, "path": "/data/workspaces/lost", "verdict": "orphan",
              "why": "no task has it as its workspace; look at it and remove it by hand", "saved_under": null },
        ])),
        "GET /workspaces/orphans" => page(json!([
            { "path": "/data/workspaces/lost", "reason": "no task has it as its workspace", "size": "medium",
              "last_change_at": AT, "git_record_in": "repo" },
        ])),
        _ => None,
    }
}

#[test]
fn w_9_a_reset_asks_unless_confirmed() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    let asked = user.run(&["workspace", "reset", "T-12"]);
    assert_eq!(asked.code, 2, "{asked:?}");
    assert!(asked.err.contains("--yes"), "{asked:?}");
    assert!(!server.requests().iter().any(|line| line.contains("reset")), "nothing was done");
    let done = user.run(&["workspace", "reset", "T-12", "--yes"]);
    assert_eq!((done.code, done.out.as_str()), (0, "T-12  todo\n"), "{done:?}");
    assert!(done.err.contains("forge task claim T-12"), "{done:?}");
}

#[test]
fn w_7_a_removal_names_each_workspace_and_why() {
    let server = StubServer::new(answer);
    let user = CliUser::at(&server.url);
    let all = user.run(&["workspace", "clean", "--dry-run"]);
    assert_eq!(all.code, 0, "{all:?}");
    insta::assert_snapshot!("workspace_clean", all.out);
    let one = user.run(&["workspace", "clean", "-n", "T-12"]);
    assert!(one.out.contains("would go") && one.out.contains("refs/forge/journal/"), "{one:?}");
    let requests = server.requests();
    assert!(requests.iter().all(|line| !line.contains("\"dry_run\":false")), "{requests:?}");
}

#[test]
fn w_10_orphans_are_listed_with_their_details() {
    let server = StubServer::new(answer);
    let ended = CliUser::at(&server.url).run(&["workspace", "orphans"]);
    assert_eq!(ended.code, 0, "{ended:?}");
    insta::assert_snapshot!("orphans", ended.out);
}
