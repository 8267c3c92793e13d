//! The journal of a workspace over HTTP (W-14).

use std::path::PathBuf;

use forge_domain::task::{TaskActivity, TaskSnapshot};
use http::Method;
use serde_json::{Value, json};

use super::board::{Board, WAITS, text};

/// An agent writes a file in its first execution; its second does not end.
async fn with_entries(board: &Board) -> (String, PathBuf) {
    let script = format!("if [ -f work.txt ]; then {WAITS}; fi; echo one > work.txt");
    let agent = board.agent("coder", &script).await;
    let task = board.task(json!({ "title": "Work" })).await;
    board.claim(&task, &agent).await;
    board.quiet(&task).await;
    let workspace = board.read(&format!("/tasks/{task}/workspace")).await;
    (task, PathBuf::from(text(&workspace["path"])))
}

#[tokio::test]
async fn w_14_entries_are_listed_newest_first_and_compared() {
    let board = Board::new().await;
    let (task, _) = with_entries(&board).await;
    let path = format!("/tasks/{task}/journal");
    let entries = board.items(&path).await;
    let first = entries.last().expect("an entry");
    assert_eq!((&first["number"], &first["reason"]), (&json!(1), &json!("turn_end")));
    assert_eq!((&first["branch"], &first["differs"]), (&json!("forge/1-work"), &json!(true)));
    assert_eq!((&first["skipped"], &first["has_files"]), (&json!([]), &json!(true)));
    assert!(first["execution_id"].is_string() && first["commit"].is_string(), "{first}");

    let diff = board.read(&format!("{path}/1/diff")).await;
    assert_eq!(diff["files"][0]["path"], "work.txt");
    assert_eq!(diff["against"], "previous");
    let request = board.server.request(Method::GET, &format!("{path}/1/diff?format=patch"));
    let patch = board.server.send(request, None::<String>).await;
    assert_eq!(patch.header("content-type"), "text/x-diff; charset=utf-8");
    assert!(patch.text.contains("+one\n"), "{}", patch.text);
    let base = board.read(&format!("{path}/1/diff?against=base")).await;
    assert_eq!(base["files"][0]["change"], "added");

    for missing in ["9/diff", "x/diff", "0/diff", "-1/diff"] {
        let (status, answer) = board.server.get(&format!("{path}/{missing}")).await;
        assert_eq!((status, &answer["code"]), (404, &json!("not_found")), "{missing}: {answer}");
    }
    let (status, answer) = board.server.get(&format!("{path}/1/diff?against=all")).await;
    assert_eq!((status, &answer["code"]), (400, &json!("invalid_query")), "{answer}");
    let fresh = board.task(json!({ "title": "Fresh" })).await;
    assert_eq!(board.items(&format!("/tasks/{fresh}/journal")).await, Vec::<Value>::new());
}

#[tokio::test]
async fn w_14_an_entry_is_restored_and_that_can_be_undone() {
    let board = Board::new().await;
    let (task, place) = with_entries(&board).await;
    let path = format!("/tasks/{task}/journal");
    std::fs::write(place.join("work.txt"), "two\n").unwrap();
    std::fs::write(place.join("more.txt"), "more\n").unwrap();
    let files = board.read(&format!("{path}/1/diff?against=files")).await;
    assert_eq!(files["files"].as_array().map(Vec::len), Some(2), "{files}");

    let (status, done) = board.server.post(&format!("{path}/1/restore"), json!({})).await;
    assert_eq!(status, 200, "{done}");
    assert_eq!(std::fs::read_to_string(place.join("work.txt")).unwrap(), "one\n");
    assert!(!place.join("more.txt").exists());
    assert_eq!(done["saved"]["reason"], "before_restore");
    let undo = format!("{path}/{}/restore", done["saved"]["number"]);
    board.done(&undo, json!({ "move_branch": false })).await;
    assert_eq!(std::fs::read_to_string(place.join("work.txt")).unwrap(), "two\n");
    assert_eq!(std::fs::read_to_string(place.join("more.txt")).unwrap(), "more\n");

    board.refused(&format!("{path}/77/restore"), json!({}), 404, "not_found").await;
    board.refused(&undo, json!({ "move": true }), 422, "unknown_field").await;
    let fresh = board.task(json!({ "title": "Fresh" })).await;
    board.refused(&format!("/tasks/{fresh}/journal/1/restore"), json!({}), 404, "not_found").await;
}

#[tokio::test]
async fn w_4_nothing_is_restored_while_an_agent_works() {
    let board = Board::new().await;
    let (task, _) = with_entries(&board).await;
    board.move_to(&task, "in_progress").await;
    let running = |task: &TaskSnapshot| matches!(task.activity, Some(TaskActivity::Running { .. }));
    let run = board.reached(&task, running).await.run.expect("a run").execution;
    let path = format!("/tasks/{task}/journal/1/restore");
    let details = board.refused(&path, json!({}), 409, "workspace_locked").await;
    assert_eq!(details["holder"]["execution"], run.to_string(), "{details}");
    assert!(details["holder"]["pid"].is_u64());
}

#[tokio::test]
async fn w_14_a_fork_starts_with_the_files_of_the_entry() {
    let board = Board::new().await;
    let (task, _) = with_entries(&board).await;
    let path = format!("/tasks/{task}/journal/1/fork");
    let made = board.created(&path, json!({ "title": "Another way" })).await;
    assert_eq!(made["title"], "Another way");
    let agent = board.agent("looker", "cat work.txt >> seen.txt").await;
    board.claim(&text(&made["id"]), &agent).await;
    board.quiet(&text(&made["id"])).await;
    let workspace = board.read(&format!("/tasks/{}/workspace", text(&made["id"]))).await;
    let place = PathBuf::from(text(&workspace["path"]));
    assert_eq!(std::fs::read_to_string(place.join("seen.txt")).unwrap(), "one\n");
    let named = board.created(&path, json!({})).await;
    assert_eq!(named["title"], "Work (from entry 1)");
    board.refused(&path, json!({ "title": "" }), 422, "invalid_field").await;
}
